import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { useChoices } from '../overlays/choices.tsx';
import type { Place } from './piece.ts';
import type { LinesAs } from './read-lines.ts';
import { useCompletion } from './use-completion.tsx';
import type { EntryForm } from './use-entry.ts';

/** Quotes and the mark of notes are read before names. */
const endOfName = /([\s#"“”«»]|\/\/)+/g;

type FieldKeyEvent = TargetedKeyboardEvent<HTMLTextAreaElement>;

/** The field of the text: its caret, the places that are offered behind `#`, and what its keys do. */
export function useEntryField(
  form: EntryForm,
  initialLength: number,
  add: (as?: LinesAs, another?: boolean) => void,
) {
  const field = useRef<HTMLTextAreaElement>(null);
  const [caret, setCaret] = useState<number | null>(initialLength);
  const completion = useCompletion(form.text, caret, form.projects, pick);
  const { active, activeId, onKeyDown: steer } = useChoices(completion.choices, form.text, completion.first);
  const hasChoices = completion.choices.length > 0;
  const focus = () => field.current?.focus();

  useLayoutEffect(() => {
    focus();
    field.current?.setSelectionRange(initialLength, field.current.value.length);
  }, []);

  /** Behind `#` alone, what was picked is written out, without what would end the name. */
  function pick(name: string, place: Place): void {
    const written = name || form.nameOf(place).replaceAll(endOfName, ' ').trim();
    form.pick(written, place);
    if (name === '')
      form.setText(`${form.text.slice(0, caret ?? 0)}${written} ${form.text.slice(caret ?? 0)}`);
  }

  function onKeyDown(event: FieldKeyEvent): void {
    if (event.key === 'Enter') enter(event);
    else if (event.key === 'Backspace') makePlain(event);
    else if (event.key === 'Escape' && hasChoices) {
      event.preventDefault();
      completion.close();
    } else if (hasChoices) steer(event);
  }

  /** Picks a place that is not clear yet, else adds; in a checklist it starts the next item. */
  function enter(event: FieldKeyEvent): void {
    const isCommand = event.metaKey || event.ctrlKey;
    if (event.altKey && form.isSeveral) {
      event.preventDefault();
      add('notes');
      return;
    }
    const picks = hasChoices && active >= 0 && !(completion.isUnique && active === 0);
    if (picks && !isCommand) {
      steer(event);
      return;
    }
    if (!isCommand && (event.shiftKey || form.isChecklist)) return;
    event.preventDefault();
    add(undefined, isCommand && !form.isChecklist);
  }

  /** Right behind a piece, Backspace makes it plain text before it deletes. */
  function makePlain(event: FieldKeyEvent): void {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== selectionEnd) return;
    const lineStart = form.text.lastIndexOf('\n', selectionStart - 1) + 1;
    const line = form.shown[form.text.slice(0, lineStart).split('\n').length - 1];
    const piece = line?.pieces.find(({ end }) => lineStart + end === selectionStart);
    if (!line || !piece) return;
    event.preventDefault();
    form.makePlain([piece], line.text);
  }

  function onSelect({ currentTarget }: TargetedEvent<HTMLTextAreaElement>): void {
    const { selectionStart, selectionEnd } = currentTarget;
    setCaret(selectionStart === selectionEnd ? selectionStart : null);
  }

  function onInput(event: TargetedEvent<HTMLTextAreaElement>): void {
    form.setText(event.currentTarget.value);
    onSelect(event);
  }

  return {
    props: { ref: field, value: form.text, onInput, onSelect, onKeyDown },
    choices: completion.choices,
    isMore: completion.isMore,
    activeId,
    focus,
    /** Takes a text with a date or a list that was picked. */
    setPicked(text: string): void {
      // In front of a date alone, its title is still to be typed; behind # alone its list.
      const place = text.search(/#(?!\S)/u) + 1 || (form.text.trim() === '' ? 0 : text.length);
      form.setText(text);
      setCaret(place);
      // Once the picker has gone.
      requestAnimationFrame(() => {
        focus();
        field.current?.setSelectionRange(place, place);
      });
    },
  };
}
