import { longestChecklist } from '#shared/validation/text-limits.ts';
import { Icon } from '../components/icon.tsx';
import { writeBlock } from '../list/task-actions.ts';
import { EntryChips, QuickAddFoot } from '../loading/load-later.tsx';
import { ChoiceList } from '../overlays/choices.tsx';
import { Dialog } from '../overlays/dialog.tsx';
import { closeOverlay, type QuickAddList } from '../overlays/overlay.ts';
import { useStore } from '../store/store-context.ts';
import { quickAddWords as words } from '../words/quick-add-words.ts';
import type { LinesAs } from './read-lines.ts';
import { TintedText } from './tinted-text.tsx';
import { type EntryForm, useEntry } from './use-entry.ts';
import { useEntryField } from './use-entry-field.ts';

const listId = 'quick-add-places';

/** Parses a line into title, date and place; several lines are several tasks, or one with a checklist. */
export function QuickAdd({ text: initial = '', list = null }: { text?: string; list?: QuickAddList | null }) {
  const form = useEntry(initial, list);
  const field = useEntryField(form, initial.length, add);
  const { isChecklist, isSeveral } = form;
  const hasChoices = field.choices.length > 0;
  const block = writeBlock(useStore());
  const problem = block ?? form.problem;
  const count = form.lines.length;
  // With several tasks, each line has its own.
  const entry = isSeveral ? null : form.entry;
  const can = canBe(block === null, problem === null, form);

  function add(as: LinesAs = isChecklist ? 'checklist' : 'tasks', another?: boolean): void {
    if (!can[as]) return;
    // The grammar may still be loading: later input does not belong to these tasks.
    void form.add(as);
    form.clear();
    if (another) field.focus();
    else closeOverlay();
  }

  return (
    <Dialog label={words.label} onClose={closeOverlay}>
      <div class="qa-line">
        <span class="c" aria-hidden="true" />
        <div class="qa-text">
          <TintedText lines={form.shown} allowsDeadlines={form.allowsDeadlines} />
          <textarea
            {...field.props}
            dir="auto"
            rows={1}
            aria-label={isChecklist ? words.titleAndItems : words.title}
            aria-autocomplete="list"
            aria-controls={hasChoices ? listId : undefined}
            aria-activedescendant={field.activeId && `${listId}-${field.activeId}`}
            placeholder={form.allowsDeadlines ? words.deadlinePlaceholder : words.placeholder}
            autocomplete="off"
            enterkeyhint="done"
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
        {entry !== null && (
          <EntryChips
            entry={entry}
            form={form}
            onPlain={(pieces) => {
              form.makePlain(pieces, form.lines[0] ?? '');
              field.focus();
            }}
            onText={field.setPicked}
          />
        )}
        {count < 2 && !isChecklist && (
          <button
            type="button"
            class="chip x"
            onClick={() => {
              form.startChecklist();
              field.focus();
            }}
          >
            <Icon name="check" small />
            {words.checklist}
          </button>
        )}
      </div>
      {hasChoices && (
        <div class="pop">
          <ChoiceList id={listId} label={words.projects} choices={field.choices} activeId={field.activeId} />
        </div>
      )}
      <div role="status">{problem !== null && <p class="sheet-note care">{problem}</p>}</div>
      {count > 1 && !form.hasRoomForItems && (
        <p class="sheet-note care">{words.tooManyItems(longestChecklist)}</p>
      )}
      <QuickAddFoot
        isMore={field.isMore}
        count={isSeveral ? count : 1}
        kind={isChecklist ? 'checklist' : 'tasks'}
        can={can}
        onAdd={add}
      />
    </Dialog>
  );
}

/** A text with too many or too long lines can still become notes. */
function canBe(
  isAllowed: boolean,
  areTasks: boolean,
  { lines, isMessage, hasRoomForItems }: EntryForm,
): Record<LinesAs, boolean> {
  const tasks = lines.length > 0 && areTasks;
  return { tasks, checklist: tasks && hasRoomForItems, notes: isAllowed && isMessage };
}
