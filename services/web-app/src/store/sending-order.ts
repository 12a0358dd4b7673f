import { changedIds, touchedIds } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';

/**
 * What may be sent now: nothing before an earlier write of a row that it changes or names, so a row that was made here
 * is waited for. Whatever lands on top of a list goes in order, too.
 */
export function findSendable(
  all: readonly OutboxRecord[],
  isUnderWay: (record: OutboxRecord) => boolean,
): OutboxRecord[] {
  const asked = new Set(all.filter(({ hold }) => hold === 'notes').map(({ row }) => row.id));
  // Notes wait until their user has chosen, and nothing waits for them.
  const records = all.filter(({ row, body }) => body?.description === undefined || !asked.has(row.id));
  const changedBefore = new Set<string>();
  return records.filter((record, place) => {
    const isBlocked =
      [...touchedIds(record), ...topOf(record)].some((id) => changedBefore.has(id)) ||
      // A project with its tasks: any write before it may move one of them, or close one.
      (record.body?.asked !== undefined && records.slice(0, place).some(({ hold }) => hold === null));
    for (const id of [...changedIds(record), ...topOf(record)]) changedBefore.add(id);
    return !isBlocked && !isUnderWay(record) && record.hold === null;
  });
}

const top = 'top of a list';

function topOf({ creates, path }: OutboxRecord): string[] {
  return creates || path.endsWith('/move') ? [top] : [];
}
