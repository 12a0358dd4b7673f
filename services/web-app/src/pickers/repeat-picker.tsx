import type { AppRecurrence } from '#shared/app/app-protocol.ts';
import { weekday } from '../dates/civil-date.ts';
import { weekdayNames } from '../dates/weekday-names.ts';
import { closeOverlay } from '../overlays/overlay.ts';
import { impliedDate } from '../quick-add/read-entry.ts';
import { useStore } from '../store/store-context.ts';
import { pickerWords as words } from '../words/picker-words.ts';
import { describeRepeat } from '../words/repeat-words.ts';
import { choice } from './day-choices.tsx';
import { PickerDialog } from './picker-dialog.tsx';
import { RepeatFields } from './repeat-fields.tsx';
import { useTargets } from './use-targets.ts';
import { useTypedWhen } from './use-typed-when.ts';

/** How tasks repeat: a typed, common or custom rule. */
export function RepeatPicker({ ids: asked }: { ids: readonly string[] }) {
  const store = useStore();
  const { ids, tasks, first } = useTargets(asked);
  const { text, setText, today, now, read, isPrefix } = useTypedWhen();
  const date = first?.dueDate ?? today;

  /** `typed`: the day typed with the rule; without it dates are kept. */
  function set(recurrence: AppRecurrence | null, typed: string | null = null): void {
    const isDated = tasks.every((task) => task.dueDate !== null);
    const start = typed ?? (recurrence === null || isDated ? null : impliedDate(recurrence, null, now));
    const patch = start === null ? { recurrence } : { recurrence, dueDate: start };
    const rule = recurrence && describeRepeat(recurrence, start ?? date);
    store.commands.patchTask(ids, patch, {}, (titles) => words.repeatSet(titles, rule));
    closeOverlay();
  }

  const typed = read?.pieces.some(({ kind }) => kind === 'date') ? read.dueDate : null;
  const rules = usualRules(date).map((rule) => ruleChoice(rule, date, set));
  const never = choice('never', 'x', words.never, () => set(null));
  const present = first?.recurrence ?? null;
  // The current rule comes first, so that Enter keeps it.
  const kept = present && ruleChoice(present, date, ids.length === 1 ? closeOverlay : set);
  const usual =
    kept === null ? [never, ...rules] : [kept, ...rules.filter(({ id }) => id !== kept.id), never];
  const choices = [
    ...(read?.recurrence ? [ruleChoice(read.recurrence, typed ?? date, (rule) => set(rule, typed))] : []),
    ...usual.filter(isPrefix),
  ];
  return (
    <PickerDialog
      label={words.repeatLabel}
      icon="repeat"
      placeholder={words.repeatPlaceholder}
      listLabel={words.rules}
      text={text}
      onText={setText}
      choices={choices}
      nothing={words.notARule}
    >
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
