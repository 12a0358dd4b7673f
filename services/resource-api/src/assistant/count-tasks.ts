import { startOfDay } from '#shared/time/calendar-date.ts';
import type { Session } from '../session.ts';
import {
  type Bind,
  hasNoDate,
  live,
  logbookStart,
  overdueCondition,
  viewCondition,
} from '../tasks/task-views.ts';

/** In the order of the response. */
export const countedLists = [
  'inbox',
  'today',
  'overdue',
  'upcoming',
  'anytime',
  'someday',
  'logbook',
  'trash',
  'open',
] as const;
export type CountedList = (typeof countedLists)[number];

/** The number of tasks in each list, equal to what find_tasks returns. */
export async function countTasks({ db, account, today }: Session): Promise<Record<CountedList, number>> {
  const values: unknown[] = [account.id];
  const bind: Bind = (value) => `$${values.push(value)}`;
  const since = logbookStart(today, account);
  const conditionOf = (list: CountedList): string => {
    if (list === 'overdue') return overdueCondition(today, bind);
    if (list === 'open') return live;
    const condition = viewCondition(list, today, since, bind);
    return list === 'someday' ? `${condition} and ${hasNoDate}` : condition;
  };
  const columns = countedLists.map(
    (list) => `count(*) filter (where ${conditionOf(list)})::int as "${list}"`,
  );
  const { rows } = await db.query<Record<CountedList, number>>({
    text: `select ${columns.join(', ')} from tasks.task where account_id = $1`,
    values,
  });
  if (rows[0] === undefined) throw new Error('a count has one row');
  return rows[0];
}

export const countedMonths = 12;

/**
 * The number of tasks completed in each of the last months, newest first, equal to what find_tasks returns by
 * `closedAt`.
 */
export async function countCompleted({ db, account, today }: Session) {
  const present = Temporal.PlainYearMonth.from(today);
  const months = Array.from({ length: countedMonths }, (_, place) =>
    present.subtract({ months: countedMonths - 1 - place }).toString(),
  );
  const starts = months.map((month) => startOfDay(`${month}-01`, account.timezone));
  const { rows } = await db.query<{ place: number; completed: number }>({
    text: `select width_bucket(closed_at, $2::timestamptz[]) as place, count(*)::int as completed
      from tasks.task
      where account_id = $1 and status = 'completed' and trashed_at is null and closed_at >= $3
      group by place`,
    values: [account.id, starts, starts[0]],
  });
  const counts = new Map(rows.map(({ place, completed }) => [months[place - 1], completed]));
  return months.map((month) => ({ month, completed: counts.get(month) ?? 0 })).toReversed();
}
