import { rankStep } from '#shared/app/app-protocol.ts';
import type { TaskRow } from './row-types.ts';

type Ranked = { id: string; rank: number };

const compare = (a: string, b: string) => (a < b ? -1 : Number(a > b));
const byId = (a: { id: string }, b: { id: string }) => compare(a.id, b.id);

export function byRank(a: Ranked, b: Ranked): number {
  return a.rank - b.rank || byId(a, b);
}

/** The day on which lists show the task: its date, otherwise its deadline. */
export function viewDate(task: Pick<TaskRow, 'dueDate' | 'deadlineDate'>): string | null {
  return task.dueDate ?? task.deadlineDate;
}

/** The public order of Today and Upcoming. */
export function bySpecDate(a: TaskRow, b: TaskRow): number {
  const byDate = compare(viewDate(a) ?? '', viewDate(b) ?? '');
  return byDate || compare(a.createdAt, b.createdAt) || byId(a, b);
}

/** Within a day: manually ordered tasks first, then by reminder, then the public order. */
export function byDayOrder(a: TaskRow, b: TaskRow): number {
  const [left, right] = [a.dayRank ?? Number.POSITIVE_INFINITY, b.dayRank ?? Number.POSITIVE_INFINITY];
  if (left !== right) return left - right;
  return compare(a.reminderTime ?? '99:99', b.reminderTime ?? '99:99') || bySpecDate(a, b);
}

/** A rank right after `after` in the ordered list, or first when null. The server's rank replaces it. */
export function rankAfter(ordered: readonly Ranked[], after: string | null): number {
  const place = after === null ? -1 : ordered.findIndex((row) => row.id === after);
  const before = ordered[place];
  const next = ordered[place + 1];
  if (before === undefined) return next === undefined ? 0 : next.rank - rankStep;
  return next === undefined ? before.rank + rankStep : (before.rank + next.rank) / 2;
}

/** Beyond the ranks that the server may assign to earlier writes. */
export const unsentStep = 2 ** 44;

/** The server adds new projects and areas at the end. */
export function lastRank(rows: readonly Ranked[]): number {
  return rows.reduce((last, { rank }) => Math.max(last, rank), 0) + unsentStep;
}
