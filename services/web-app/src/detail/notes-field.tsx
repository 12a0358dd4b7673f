import { useEffect, useLayoutEffect, useRef, useState } from 'preact/hooks';
import { longestNotes } from '#shared/validation/text-limits.ts';
import { codePointLength, isWithinLength } from '#shared/validation/text-rules.ts';
import { Button } from '../components/button.tsx';
import { notesAskedFor } from '../list/list-state.ts';
import { RenderedNotes } from '../notes/rendered-notes.tsx';
import type { NotesConflict } from '../store/notices.ts';
import { keepMine, takeTheirs } from '../store/record-choices.ts';
import { useStore } from '../store/store-context.ts';
import { detailWords as words } from '../words/detail-words.ts';
import { nextListItem } from './markdown-list.ts';
import { markdownOffsetAt, topInView } from './markdown-offset.ts';
import { useAutosave } from './use-autosave.ts';

type NotesFieldProps = {
  /** Of the task or project. */
  id: string;
  description: string;
  /** null until the server has rendered the notes. */
  descriptionHtml: string | null;
  isWritable: boolean;
  onSave: (notes: { description: string | null }, base: { description: string | undefined }) => void;
};

/** Notes: rendered by the server, edited as Markdown. E, a click or «Edit» starts; Escape or «Done» ends. */
export function NotesField(props: NotesFieldProps) {
  const { id, description, descriptionHtml, isWritable } = props;
  /** Initial offset of the caret; null: not being edited. */
  const [editedFrom, setEditedFrom] = useState<number | null>(null);
  const isEditing = editedFrom !== null;
  const { notices, resolveNotes } = useStore();
  const conflict = notices.notesConflicts.value.find(({ row }) => row.id === id);
  // E was pressed on the row of the task, before its notes were shown.
  const isAskedFor = notesAskedFor.value === id;
  const opener = useRef<HTMLButtonElement>(null);
  const shown = useRef<HTMLDivElement>(null);
  const edit = (pressed: MouseEvent | null) => {
    if (!isWritable || shown.current === null) return;
    const point = pressed ?? topInView(shown.current);
    const caret = point === null ? null : markdownOffsetAt(shown.current, point, description);
    setEditedFrom(caret ?? description.length);
  };
  const end = () => setEditedFrom(null);
  const save = (text: string, base: string | undefined) =>
    props.onSave({ description: text === '' ? null : text }, { description: base });
  const take = ({ theirs }: NotesConflict) => {
    resolveNotes(id, takeTheirs);
    notices.toast(words.tookOther, () => save(description, theirs));
  };
  useLayoutEffect(() => {
    if (!isAskedFor) return;
    notesAskedFor.value = null;
    edit(null);
  }, [isAskedFor]);
  if (!isWritable && description === '') return null;
  return (
    <section>
      <h2 class="sec-h">
        {words.notes}
        {isWritable && (
          <button
            ref={opener}
            type="button"
            class={isEditing ? 'btn text' : 'btn text edit-notes'}
            title={words.editNotesHint}
            onClick={() => (isEditing ? end() : edit(null))}
          >
            {isEditing ? words.doneEditing : description === '' ? words.addNotes : words.editNotes}
          </button>
        )}
      </h2>
      {conflict !== undefined && (
        <ConflictQuestion conflict={conflict} onKeep={() => resolveNotes(id, keepMine)} onTake={take} />
      )}
      {isEditing && isWritable ? (
        <NotesEditor
          description={description}
          caret={editedFrom}
          onSave={save}
          onLeave={() => {
            end();
            opener.current?.focus();
          }}
        />
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions lint/a11y/useKeyWithClickEvents: «Edit» does it
        <div ref={shown} class="notes" onClick={(event) => !isLinkOrSelection(event) && edit(event)}>
          <ShownNotes description={description} descriptionHtml={descriptionHtml} />
        </div>
      )}
    </section>
  );
}

function isLinkOrSelection(event: Event): boolean {
  const isLink = event.target instanceof Element && event.target.closest('a, summary') !== null;
  return isLink || window.getSelection()?.isCollapsed === false;
}

function ShownNotes({
  description,
  descriptionHtml,
}: Pick<NotesFieldProps, 'description' | 'descriptionHtml'>) {
  if (description === '') return null;
  if (descriptionHtml !== null) return <RenderedNotes descriptionHtml={descriptionHtml} />;
  return (
    <div class="md is-plain" dir="auto" title={words.notesWait}>
      {description}
    </div>
  );
}

type NotesEditorProps = {
  description: string;
  caret: number;
  onSave: (text: string, base: string | undefined) => void;
  onLeave: () => void;
};

function NotesEditor({ description, caret, onSave, onLeave }: NotesEditorProps) {
  const element = useRef<HTMLTextAreaElement>(null);
  const { notices } = useStore();
  const known = useRef(description);
  const save = (text: string, base: string | undefined) => {
    known.current = text;
    onSave(text, base);
  };
  const field = useAutosave(description, (text, base) => {
    save(text, base);
    return true;
  });
  useEffect(() => {
    const before = known.current;
    known.current = description;
    // An append by others is adopted silently; a conflict with text being typed is resolved by the user.
    const isShown = element.current === document.activeElement && field.value === description;
    if (isShown && !description.includes(before))
      notices.toast(words.replacedElsewhere, () => save(before, description));
  }, [description]);
  useLayoutEffect(() => {
    // Before the focus, which scrolls the caret into view.
    element.current?.setSelectionRange(caret, caret);
    element.current?.focus();
  }, []);
  const excess = codePointLength(field.value) - longestNotes;
  return (
    <>
      <textarea
        ref={element}
        class="notes-edit"
        dir="auto"
        aria-label={words.notesInMarkdown}
        value={field.value}
        onFocus={field.focus}
        onBlur={field.leave}
        aria-invalid={excess > 0 || undefined}
        onInput={({ currentTarget: { value } }) =>
          field.change(value, isWithinLength(value, longestNotes) ? 'soon' : 'on-leave')
        }
        onKeyDown={(event) => {
          if (event.key === 'Enter') continueList(event);
          if (event.key !== 'Escape') return;
          event.preventDefault();
          event.stopPropagation();
          field.leave();
          event.currentTarget.closest<HTMLElement>('.detail, main')?.focus();
          onLeave();
        }}
      />
      <div role="status">
        {excess > 0 && <p class="field-note">{words.notesTooLong(longestNotes, excess)}</p>}
      </div>
    </>
  );
}

/** Inserted as typed text, so that the editor's undo covers it. */
function continueList(event: KeyboardEvent & { currentTarget: HTMLTextAreaElement }): void {
  const { value, selectionStart: caret, selectionEnd } = event.currentTarget;
  const isPlain = !event.shiftKey && !event.ctrlKey && !event.metaKey && !event.altKey;
  const next = isPlain && caret === selectionEnd ? nextListItem(value, caret) : null;
  if (next === null) return;
  event.preventDefault();
  event.currentTarget.setSelectionRange(next.from, caret);
  document.execCommand(next.insert === '' ? 'delete' : 'insertText', false, next.insert);
}

type ConflictQuestionProps = {
  conflict: NotesConflict;
  onKeep: () => void;
  onTake: (conflict: NotesConflict) => void;
};

function ConflictQuestion({ conflict, onKeep, onTake }: ConflictQuestionProps) {
  const { by, theirs } = conflict;
  const isOwn = by === null || by === undefined;
  return (
    <div class="conflict" role="alert">
      <b dir="auto">{isOwn ? words.changedTwice : words.changedMeanwhile(by)}</b>
      <p class="muted">{isOwn ? words.other : words.theirs}</p>
      <pre dir="auto">{theirs}</pre>
      <div class="question-acts">
        <Button text={isOwn ? words.keepShown : words.keepMine} kind="primary" onPress={onKeep} />
        <Button text={isOwn ? words.takeOther : words.takeTheirs} onPress={() => onTake(conflict)} />
      </div>
    </div>
  );
}
