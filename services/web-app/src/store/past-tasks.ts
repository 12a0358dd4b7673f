import { touchedIds } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';
import { closedAt, type TaskRow } from './row-types.ts';

/** Closed so long ago that it was not today in any time zone. */
const pastMilliseconds = 2 * 86_400_000;

/** Tasks that a snapshot omits. Without their removal the local copy would keep growing. */
export function pastTasks(records: readonly OutboxRecord[], now: Date): (task: TaskRow) => boolean {
  const touched = new Set(records.flatMap((record) => [...touchedIds(record)]));
  const past = new Date(now.getTime() - pastMilliseconds).toISOString();
  return (task) => !touched.has(task.id) && (task.inTrash || (closedAt(task) ?? past) < past);
}
