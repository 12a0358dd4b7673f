import { changedIds, touchedIds } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';

/**
 * Records that may be sent now: none before an earlier record about a row that it changes or refers to (so
 * creations are awaited). Records that place a row on top of a list are sent in order, too.
 */
export function findSendable(
  all: readonly OutboxRecord[],
  isUnderWay: (record: OutboxRecord) => boolean,
): OutboxRecord[] {
  const asked = new Set(all.filter(({ hold }) => hold === 'notes').map(({ row }) => row.id));
  // Conflicting notes wait for the user; other records do not wait for them.
  const records = all.filter(({ row, body }) => body?.description === undefined || !asked.has(row.id));
  const changedBefore = new Set<string>();
  return records.filter((record, place) => {
    const isBlocked =
      [...touchedIds(record), ...topOf(record)].some((id) => changedBefore.has(id)) ||
      // Affects a project and its tasks: any earlier write may move or close one of them.
      (record.body?.asked !== undefined && records.slice(0, place).some(({ hold }) => hold === null));
    for (const id of [...changedIds(record), ...topOf(record)]) changedBefore.add(id);
    return !isBlocked && !isUnderWay(record) && record.hold === null;
  });
}

const top = 'top of a list';

function topOf({ creates, path }: OutboxRecord): string[] {
  return creates || path.endsWith('/move') ? [top] : [];
}
