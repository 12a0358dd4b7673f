import { touchedIds } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';
import type { TaskRow } from './row-types.ts';

/** Closed so long ago, in no time zone today. */
const pastMilliseconds = 2 * 86_400_000;

/** What a snapshot would leave out: else the copy on this device would grow with every task that was ever done. */
export function pastTasks(records: readonly OutboxRecord[], now: Date): (task: TaskRow) => boolean {
  const touched = new Set(records.flatMap((record) => [...touchedIds(record)]));
  const past = new Date(now.getTime() - pastMilliseconds).toISOString();
  return ({ id, inTrash, completedAt, cancelledAt }) =>
    !touched.has(id) && (inTrash || (completedAt ?? cancelledAt ?? past) < past);
}
