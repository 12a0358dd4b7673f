import type { TargetedEvent, TargetedKeyboardEvent } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { longestChecklist } from '#shared/validation/text-limits.ts';
import { Icon } from '../components/icon.tsx';
import { writeBlock } from '../list/task-actions.ts';
import { EntryChips, QuickAddFoot } from '../loading/load-later.tsx';
import { ChoiceList, useChoices } from '../overlays/choices.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay, type QuickAddList } from '../overlays/overlay.ts';
import { useStore } from '../store/store-context.ts';
import { quickAddWords as words } from '../words/quick-add-words.ts';
import type { Piece, Place } from './piece.ts';
import type { LinesAs } from './read-lines.ts';
import { TintedText } from './tinted-text.tsx';
import { useCompletion } from './use-completion.tsx';
import { type EntryForm, useEntry } from './use-entry.ts';

const listId = 'quick-add-places';

/** One line that says what, when and where; several lines are several tasks, or one with a checklist. */
export function QuickAdd({ text: initial = '', list = null }: { text?: string; list?: QuickAddList | null }) {
  const store = useStore();
  const field = useRef<HTMLTextAreaElement>(null);
  const form = useEntry(initial, list);
  const { isChecklist, isSeveral } = form;
  const [caret, setCaret] = useState<number | null>(initial.length);
  const completion = useCompletion(form.text, caret, form.projects, pick);
  const { active, activeId, onKeyDown } = useChoices(completion.choices, completion.first);
  const hasChoices = completion.choices.length > 0;
  const block = writeBlock(store);
  const problem = block ?? form.problem;
  const count = form.lines.length;
  // Of several tasks each says its own.
  const entry = isSeveral ? null : form.entry;
  const can = canBe(block === null, problem === null, form);

  /** Behind `#` alone, what was picked is written out. */
  function pick(name: string, place: Place): void {
    if (name !== '') form.pick(name, place);
    else
      form.setText(`${form.text.slice(0, caret ?? 0)}${form.nameOf(place)} ${form.text.slice(caret ?? 0)}`);
  }

  useLayoutEffect(() => {
    field.current?.focus();
    field.current?.setSelectionRange(initial.length, field.current.value.length);
  }, []);

  function add(as: LinesAs = isChecklist ? 'checklist' : 'tasks', another = false): void {
    if (!can[as]) return;
    // The grammar may still be on its way: what is typed and pressed meanwhile is not of these tasks.
    void form.add(as);
    form.clear();
    if (another) field.current?.focus();
    else closeOverlay();
  }

  function keyDown(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    if (event.key === 'Enter') enter(event);
    else if (event.key === 'Backspace') makePlain(event);
    else if (event.key === 'Escape' && hasChoices) {
      event.preventDefault();
      completion.close();
    } else if (hasChoices) onKeyDown(event);
  }

  /** Picks a place that is not clear yet, else adds; in a checklist it starts the next item. */
  function enter(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    const isCommand = event.metaKey || event.ctrlKey;
    if (event.altKey && isSeveral) {
      event.preventDefault();
      add('notes');
      return;
    }
    const picks = hasChoices && active >= 0 && !(completion.isUnique && active === 0);
    if (picks && !isCommand) {
      onKeyDown(event);
      return;
    }
    if (!isCommand && (event.shiftKey || isChecklist)) return;
    event.preventDefault();
    add(undefined, isCommand && !isChecklist);
  }

  /** Right behind a piece, Backspace makes it plain text before it deletes. */
  function makePlain(event: TargetedKeyboardEvent<HTMLTextAreaElement>): void {
    const { selectionStart, selectionEnd } = event.currentTarget;
    if (selectionStart !== selectionEnd) return;
    const lineStart = form.text.lastIndexOf('\n', selectionStart - 1) + 1;
    const line = form.shown[form.text.slice(0, lineStart).split('\n').length - 1];
    const piece = line?.pieces.find(({ end }) => lineStart + end === selectionStart);
    if (line === undefined || piece === undefined) return;
    event.preventDefault();
    form.makePlain([piece], line.text);
  }

  function readCaret({ currentTarget }: TargetedEvent<HTMLTextAreaElement>): void {
    const { selectionStart, selectionEnd } = currentTarget;
    setCaret(selectionStart === selectionEnd ? selectionStart : null);
  }

  function setDated(text: string): void {
    // In front of a date alone, its title is still to be typed; behind # alone its list.
    const place = text.search(/#(?!\S)/u) + 1 || (form.text.trim() === '' ? 0 : text.length);
    form.setText(text);
    setCaret(place);
    // Once the picker has gone.
    requestAnimationFrame(() => {
      field.current?.focus();
      field.current?.setSelectionRange(place, place);
    });
  }

  function startChecklist(): void {
    form.startChecklist();
    field.current?.focus();
  }

  const plainFirst = (pieces: readonly Piece[]) => {
    form.makePlain(pieces, form.lines[0] ?? '');
    field.current?.focus();
  };

  return (
    <Dialog label={words.label} onClose={closeOverlay}>
      <div class="qa-line">
        <span class="c" aria-hidden="true" />
        <div class="qa-text">
          <TintedText lines={form.shown} allowsDeadlines={form.allowsDeadlines} />
          <textarea
            ref={field}
            dir="auto"
            rows={1}
            aria-label={isChecklist ? words.titleAndItems : words.title}
            aria-autocomplete="list"
            aria-controls={hasChoices ? listId : undefined}
            aria-activedescendant={
              activeId === undefined || !hasChoices ? undefined : `${listId}-${activeId}`
            }
            placeholder={form.allowsDeadlines ? words.deadlinePlaceholder : words.placeholder}
            autocomplete="off"
            enterkeyhint="done"
            value={form.text}
            onInput={(event) => {
              form.setText(event.currentTarget.value);
              readCaret(event);
            }}
            onSelect={readCaret}
            onKeyDown={keyDown}
          />
        </div>
      </div>
      <textarea
        class="qa-note"
        dir="auto"
        rows={1}
        aria-label={words.notes}
        placeholder={entry?.notes ?? words.notes}
        value={form.notes}
        onInput={(event) => form.setNotes(event.currentTarget.value)}
        onKeyDown={(event) => {
          if (event.key === 'Enter' && (event.metaKey || event.ctrlKey)) add();
        }}
      />
      <div class="qa-chips">
        {entry !== null && <EntryChips entry={entry} form={form} onPlain={plainFirst} onText={setDated} />}
        {count < 2 && !isChecklist && (
          <button type="button" class="chip x" onClick={startChecklist}>
            <Icon name="check" small />
            {words.checklist}
          </button>
        )}
      </div>
      {hasChoices && (
        <div class="pop">
          <ChoiceList id={listId} label={words.projects} choices={completion.choices} active={active} />
        </div>
      )}
      <div role="status">{problem !== null && <p class="sheet-note care">{problem}</p>}</div>
      {count > 1 && !form.hasRoomForItems && (
        <p class="sheet-note care">{words.tooManyItems(longestChecklist)}</p>
      )}
      <QuickAddFoot
        count={isSeveral ? count : 1}
        kind={isChecklist ? 'checklist' : 'tasks'}
        can={can}
        onAdd={add}
      />
    </Dialog>
  );
}

/** A message of more lines than there may be tasks, or longer ones, can still be notes. */
function canBe(
  isAllowed: boolean,
  areTasks: boolean,
  { lines, isMessage, hasRoomForItems }: EntryForm,
): Record<LinesAs, boolean> {
  const tasks = lines.length > 0 && areTasks;
  return { tasks, checklist: tasks && hasRoomForItems, notes: isAllowed && isMessage };
}
