import type { Session } from '../session.ts';
import { type Bind, logbookStart, type TaskView, viewCondition } from '../tasks/task-views.ts';

type Counted = Exclude<TaskView, 'all'> | 'overdue' | 'open';

/** How many tasks each list has, as find_tasks shows it. */
export async function countTasks({ db, account, today }: Session): Promise<Record<Counted, number>> {
  const values: unknown[] = [account.id];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const since = logbookStart(today, account);
  const conditions: Record<Counted, string> = {
    inbox: viewCondition('inbox', today, since, bind),
    today: viewCondition('today', today, since, bind),
    overdue: `status = 'open' and trashed_at is null and least(due_date, deadline_date) < ${bind(today)}::date`,
    upcoming: viewCondition('upcoming', today, since, bind),
    anytime: viewCondition('anytime', today, since, bind),
    someday: `${viewCondition('someday', today, since, bind)} and view_date is null`,
    logbook: viewCondition('logbook', today, since, bind),
    trash: viewCondition('trash', today, since, bind),
    open: `status = 'open' and trashed_at is null`,
  };
  const columns = Object.entries(conditions).map(
    ([name, condition]) => `count(*) filter (where ${condition})::int as "${name}"`,
  );
  const { rows } = await db.query<Record<Counted, number>>({
    text: `select ${columns.join(', ')} from tasks.task where account_id = $1`,
    values,
  });
  if (rows[0] === undefined) throw new Error('a count has one row');
  return rows[0];
}
