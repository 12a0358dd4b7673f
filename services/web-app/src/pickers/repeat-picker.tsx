import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { weekday } from '../dates/civil-date.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { closeOverlay } from '../overlays/overlay.ts';
import { choice } from '../overlays/titled-choice.tsx';
import { impliedDate } from '../quick-add/implied-date.ts';
import { useStore } from '../store/store-context.ts';
import { pickerWords as words } from '../words/picker-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { PickerDialog } from './picker-dialog.tsx';
import { repeatField } from './picker-fields.ts';
import { RepeatFields } from './repeat-fields.tsx';
import { useTargets } from './use-targets.ts';
import { useTypedWhen } from './use-typed-when.ts';

export function RepeatPicker({ ids: asked }: { ids: readonly string[] }) {
  const store = useStore();
  const { ids, tasks, first } = useTargets(asked);
  const { typed, today, now, read, isPrefix } = useTypedWhen();
  const date = first?.dueDate ?? today;

  /** `day`: typed with the rule; without it dates are kept. */
  function set(recurrence: AppRecurrence | null, day: string | null = null): void {
    const isDated = tasks.every((task) => task.dueDate !== null);
    const start = day ?? (recurrence === null || isDated ? null : impliedDate(recurrence, null, now));
    const patch = start === null ? { recurrence } : { recurrence, dueDate: start };
    const rule = recurrence && describeRepeat(recurrence, start ?? date);
    store.commands.patchTask(ids, patch, {}, (titles) => words.repeatSet(titles, rule));
    closeOverlay();
  }

  const readDay = read?.pieces.some(({ kind }) => kind === 'date') ? read.dueDate : null;
  const rules = usualRules(date).map((rule) => ruleChoice(rule, date, set));
  const never = choice('never', 'x', words.never, () => set(null));
  const present = first?.recurrence ?? null;
  // The current rule comes first, so that Enter keeps it.
  const kept = present && ruleChoice(present, date, ids.length === 1 ? closeOverlay : set);
  const usual =
    kept === null ? [never, ...rules] : [kept, ...rules.filter(({ id }) => id !== kept.id), never];
  const choices = [
    ...(read?.recurrence ? [ruleChoice(read.recurrence, readDay ?? date, (rule) => set(rule, readDay))] : []),
    ...usual.filter(isPrefix),
  ];
  return (
    <PickerDialog {...repeatField} {...typed} choices={choices}>
      <RepeatFields recurrence={present} date={date} onSet={set} />
    </PickerDialog>
  );
}

function usualRules(date: string): AppRecurrence[] {
  const once = { interval: 1, weekdays: [], fromCompletion: false };
  const own = weekdayNames[weekday(date) - 1] ?? 'monday';
  return [
    { ...once, frequency: 'daily' },
    { ...once, frequency: 'weekly', weekdays: weekdayNames.slice(0, 5) },
    { ...once, frequency: 'weekly', weekdays: [own] },
    { ...once, frequency: 'monthly' },
    { ...once, frequency: 'yearly' },
  ];
}

function ruleChoice(rule: AppRecurrence, date: string, set: (rule: AppRecurrence) => void) {
  const label = describeRepeat(rule, date);
  return choice(label.replaceAll(' ', '-'), 'repeat', label, () => set(rule));
}
