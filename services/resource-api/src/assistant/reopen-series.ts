import type { FurtherWork } from '../http/route.ts';
import type { RecurrenceRule } from '../tasks/recurrence.ts';
import { updateTask } from '../tasks/task-repository.ts';
import { getTask } from '../tasks/task-service.ts';

type Ended = {
  recurrence: RecurrenceRule | null;
  recurrenceAnchor: string | null;
  seriesDueDate: string | null;
  seriesDeadlineDate: string | null;
};

/** Closing a task ends its repeat. A task that is reopened repeats again, where the history has how. */
export const reopenSeries: FurtherWork<{ id: string } | undefined> = async (session, saved) => {
  if (saved === undefined) return;
  const task = await getTask(session, saved.id);
  if (task.status !== 'open' || task.recurrence !== null) return;
  const { rows } = await session.db.query<Ended>({
    text: `select before -> 'recurrence' as recurrence, before ->> 'recurrence_anchor' as "recurrenceAnchor",
        before ->> 'series_due_date' as "seriesDueDate", before ->> 'series_deadline_date' as "seriesDeadlineDate"
      from tasks.change_history
      where account_id = $1 and entity_id = $2 and changed_at < $3 and before ->> 'status' is not null
      order by sequence desc limit 1`,
    values: [session.account.id, task.id, session.changedAt],
  });
  const [ended] = rows;
  if (ended?.recurrence && ended.recurrenceAnchor !== null) updateTask(session, task, ended);
};
