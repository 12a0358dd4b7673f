import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from '../components/button.tsx';
import { formatDate } from '../dates/format-calendar.ts';
import { useAutosave } from '../detail/use-autosave.ts';
import { closeOverlay, openOverlay } from '../overlays/overlay.ts';
import { choice } from '../overlays/titled-choice.tsx';
import type { CivilNow } from '../quick-add/piece.ts';
import type { readWhen } from '../quick-add/read-when.ts';
import { ReminderNote } from '../reminders/reminder-note.tsx';
import { useStore } from '../store/store-context.ts';
import { entryWords } from '../words/entry-words.ts';
import { pickerWords as words } from '../words/picker-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { screenWords } from '../words/screen-words.ts';
import { dayChoices } from './day-choices.ts';
import { MonthGrid } from './month-grid.tsx';
import { PickerDialog } from './picker-dialog.tsx';
import { whenField } from './picker-fields.ts';
import { useTargets } from './use-targets.ts';
import { useTypedWhen } from './use-typed-when.ts';

type DatePickerProps = { ids: readonly string[]; startsAtReminder?: boolean | undefined };
type When = NonNullable<ReturnType<typeof readWhen>>;

/** When: a typed day, a shortcut, a day of the month, Someday or none; with reminder and repeat. */
export function DatePicker({ ids: asked, startsAtReminder = false }: DatePickerProps) {
  const store = useStore();
  const timeField = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (startsAtReminder) timeField.current?.focus();
  }, []);
  const { ids, tasks, first } = useTargets(asked);
  const { typed, today, now, read, isPrefix } = useTypedWhen();

  const plan = (date: string) => finish(() => store.commands.plan(ids, date));
  const choices = [
    ...(read === null ? [] : [readChoice(read, now, () => finish(() => apply(read)))]),
    ...dayChoices(today, plan).filter(isPrefix),
    ...[
      choice('someday', 'someday', screenWords.someday, () => finish(() => store.commands.someday(ids))),
      choice('none', 'x', words.noDate, () => finish(() => store.commands.noDate(ids))),
    ].filter(isPrefix),
  ];

  function apply({ dueDate, reminderTime, recurrence }: When): void {
    if (recurrence === null && dueDate !== null) {
      store.commands.plan(ids, dueDate, reminderTime === null ? {} : { reminderTime });
      return;
    }
    const rule = recurrence && describeRepeat(recurrence, dueDate ?? first?.dueDate ?? null);
    const patch = {
      ...(dueDate !== null && { dueDate }),
      ...(reminderTime !== null && { reminderTime }),
      ...(recurrence !== null && { recurrence }),
    };
    store.commands.patchTask(ids, patch, {}, (titles) => rule && words.repeatSet(titles, rule));
  }

  const isDated = tasks.every((task) => task.dueDate !== null);
  // Not at every key, since an incomplete time may be valid.
  const reminder = useAutosave(first?.reminderTime ?? '', (time) => {
    const reminderTime = time === '' ? null : time;
    if (isDated)
      store.commands.patchTask(ids, { reminderTime }, {}, (titles) =>
        words.reminderSet(titles, reminderTime),
      );
    else if (reminderTime !== null) store.commands.plan(ids, today, { reminderTime });
    return true;
  });

  return (
    <PickerDialog {...whenField} {...typed} choices={choices}>
      {/* A typed day turns to its month. */}
      <MonthGrid
        key={read?.dueDate}
        selected={read?.dueDate ?? first?.dueDate ?? null}
        today={today}
        onPick={plan}
      />
      <div class="pick-fields">
        <label>
          {words.reminder}
          <input
            ref={timeField}
            type="time"
            value={read?.reminderTime ?? reminder.value}
            disabled={typeof read?.reminderTime === 'string'}
            onFocus={reminder.focus}
            onBlur={reminder.leave}
            onChange={(event) => reminder.change(event.currentTarget.value)}
            onKeyDown={(event) => {
              if (event.key === 'Escape') reminder.restore();
              if (event.key !== 'Enter') return;
              event.preventDefault();
              closeOverlay();
            }}
          />
        </label>
        {first?.reminderTime && <ReminderNote />}
        <Button
          text={first?.recurrence ? describeRepeat(first.recurrence, first.dueDate) : words.repeat}
          onPress={() => openOverlay({ kind: 'repeat', ids })}
        />
      </div>
    </PickerDialog>
  );
}

function finish(act: () => void): void {
  act();
  closeOverlay();
}

function readChoice({ dueDate, reminderTime, recurrence }: When, now: CivilNow, pick: () => void) {
  const hasPassed = dueDate === now.date && reminderTime !== null && reminderTime <= now.time;
  const parts = [
    dueDate === null ? null : formatDate(dueDate, now.date),
    hasPassed ? entryWords.passed(reminderTime) : reminderTime,
    recurrence === null ? null : describeRepeat(recurrence, dueDate),
  ];
  return choice('read', 'upcoming', parts.filter((part) => part !== null).join(' · '), pick);
}
