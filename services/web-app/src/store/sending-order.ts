import { changedIds, touchedIds } from './outbox.ts';
import type { OutboxRecord } from './outbox-record.ts';

/**
 * What is sent as one request: PATCHes of a row that follow each other are joined, but not to one that may have arrived,
 * whose value at the server would count as one of others.
 */
export type Sendable = readonly OutboxRecord[];

/**
 * What may be sent now: nothing before an earlier write of a row that it changes or names, so a row that was made here
 * is waited for. Whatever lands on top of a list goes in order, too.
 */
export function findSendable(
  all: readonly OutboxRecord[],
  isUnderWay: (record: OutboxRecord) => boolean,
  mustGoAlone: (record: OutboxRecord) => boolean,
): Sendable[] {
  const asked = new Set(all.filter(({ hold }) => hold === 'notes').map(({ row }) => row.id));
  // Notes wait until their user has chosen, and nothing waits for them.
  const records = all.filter(({ row, body }) => body?.description === undefined || !asked.has(row.id));
  const changedBefore = new Set<string>();
  const found: Sendable[] = [];
  const joined = new Set<OutboxRecord>();
  records.forEach((record, place) => {
    const isBlocked =
      [...touchedIds(record), ...topOf(record)].some((id) => changedBefore.has(id)) ||
      // A project with its tasks: any write before it may move one of them, or close one.
      (record.body?.asked !== undefined && records.slice(0, place).some(({ hold }) => hold === null));
    if (!isBlocked && !joined.has(record) && !isUnderWay(record) && record.hold === null) {
      const group = mustGoAlone(record)
        ? [record]
        : joinPatches(record, records.slice(place + 1), mustGoAlone);
      for (const each of group) joined.add(each);
      found.push(group);
    }
    for (const id of [...changedIds(record), ...topOf(record)]) changedBefore.add(id);
  });
  return found;
}

const top = 'top of a list';

function topOf({ creates, path }: OutboxRecord): string[] {
  return creates || path.endsWith('/move') ? [top] : [];
}

function joinPatches(
  first: OutboxRecord,
  later: readonly OutboxRecord[],
  mustGoAlone: (record: OutboxRecord) => boolean,
): Sendable {
  if (first.method !== 'PATCH') return [first];
  const group = [first];
  const changedBetween = new Set<string>();
  for (const record of later) {
    const isOfTry = (record.sentAt === null) === (first.sentAt === null);
    const isJoinable = record.method === 'PATCH' && record.path === first.path && record.hold === null;
    const names = [...touchedIds(record)];
    if (isJoinable && isOfTry && !mustGoAlone(record) && !names.some((id) => changedBetween.has(id)))
      group.push(record);
    else if (changedIds(record).includes(first.row.id)) break;
    else for (const id of changedIds(record)) changedBetween.add(id);
  }
  return group;
}

/** One body of several PATCHes: the last value of each field, and what stood there before the first. */
export function joinBodies(group: Sendable): {
  body: Record<string, unknown>;
  base: Record<string, unknown>;
} {
  const body: Record<string, unknown> = {};
  const base: Record<string, unknown> = {};
  for (const record of group) {
    for (const [field, value] of Object.entries(record.base)) if (!(field in base)) base[field] = value;
    Object.assign(body, record.body);
  }
  return { body, base };
}
