import { formatDate } from '../dates/format-calendar.ts';
import { formatDay } from '../dates/format-day.ts';
import { PlanLink } from '../messages/plan-link.tsx';
import { closeOverlay } from '../overlays/overlay.ts';
import { choice } from '../overlays/titled-choice.tsx';
import { useStore } from '../store/store-context.ts';
import { isSomeday } from '../store/views.ts';
import { pickerWords as words } from '../words/picker-words.ts';
import { dayChoices } from './day-choices.ts';
import { MonthGrid } from './month-grid.tsx';
import { PickerDialog } from './picker-dialog.tsx';
import { deadlineField } from './picker-fields.ts';
import { useTargets } from './use-targets.ts';
import { useTypedWhen } from './use-typed-when.ts';

/** The deadline of tasks; on the free plan it can only be removed. */
export function DeadlinePicker({ ids: asked }: { ids: readonly string[] }) {
  const store = useStore();
  const { ids, tasks, first } = useTargets(asked);
  const setDeadline = (deadlineDate: string | null, day: string | null) => {
    const leavesSomeday = tasks.some(isSomeday);
    store.commands.patchTask(ids, { deadlineDate }, {}, (titles) =>
      words.deadlineSet(titles, day, leavesSomeday),
    );
  };
  return <DeadlineDialog deadlineDate={first?.deadlineDate ?? null} onDeadline={setDeadline} />;
}

export function ProjectDeadlinePicker({ id }: { id: string }) {
  const store = useStore();
  const project = store.rows.projects.row(id).value;
  const setDeadline = (deadlineDate: string | null, day: string | null) =>
    store.commands.patchProject(id, { deadlineDate }, {}, (titles) => words.deadlineSet(titles, day));
  return <DeadlineDialog deadlineDate={project?.deadlineDate ?? null} onDeadline={setDeadline} />;
}

type DeadlineDialogProps = {
  deadlineDate: string | null;
  /** `day`: the date in words. */
  onDeadline: (date: string | null, day: string | null) => void;
};

function DeadlineDialog({ deadlineDate, onDeadline }: DeadlineDialogProps) {
  const store = useStore();
  const { typed, today, read, isPrefix } = useTypedWhen();
  const isAllowed = store.allowsDeadlines.value;
  const date = read?.reminderTime === null && read.recurrence === null ? read.dueDate : null;
  const pick = (picked: string | null) => {
    onDeadline(picked, picked && formatDay(picked, today));
    closeOverlay();
  };
  const readChoice = date === null ? [] : [choice('read', 'flag', formatDate(date, today), () => pick(date))];
  const none = choice('none', 'x', words.noDeadline, () => pick(null));
  const choices = [
    ...(isAllowed ? [...readChoice, ...dayChoices(today, pick).filter(isPrefix)] : []),
    ...(deadlineDate === null ? [] : [none].filter(isPrefix)),
  ];
  return (
    <PickerDialog
      {...deadlineField}
      {...typed}
      choices={choices}
      nothing={isAllowed ? words.notADay : words.deadlineNeedsPremium}
    >
      {isAllowed ? (
        <MonthGrid selected={deadlineDate} today={today} onPick={pick} />
      ) : (
        <div class="pick-fields">
          <PlanLink />
        </div>
      )}
    </PickerDialog>
  );
}
