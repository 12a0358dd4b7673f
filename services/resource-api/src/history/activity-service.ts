import type { ActivityPage, AppEntity } from '#shared/app/app-protocol.ts';
import { type CursorCodec, openPage } from '../http/cursor.ts';
import type { Session } from '../session.ts';
import {
  countLeftOut,
  findHistory,
  findLogged,
  findOccurrences,
  type HistoryFilter,
} from './activity-repository.ts';
import type { Actor } from './actor.ts';
import { type Attributed, groupByActor, isWithinEntry, presentChange } from './present-change.ts';
import type { HistoryChange } from './record-change.ts';

/** Changes of one record, by one token, app or browser, or by some kinds of them. */
type ActivityFilter = {
  cursor?: string | undefined;
  entity?: AppEntity | undefined;
  id?: string | undefined;
  actorId?: string | undefined;
  actorKinds?: readonly Actor['kind'][] | undefined;
};

/** In addition to the size limit. */
const changesPerPage = 300;
/** Read if one entry is longer than a page. */
const changesOfEntry = 1_200;

/**
 * The account's changes of the last 30 days, or those of one record or of some actors, grouped. A page holds
 * whole entries of an actor, unless one alone is longer. Throws validation_error on `cursor`.
 */
export async function readActivity(
  session: Session,
  cursors: CursorCodec,
  { cursor, ...filter }: ActivityFilter,
): Promise<ActivityPage> {
  const list = ['activity', filter.entity, filter.id, filter.actorId, filter.actorKinds?.join()];
  const { after, seal } = openPage(cursors, session, list, cursor);
  const read = (limit: number) => readChanges(session, { ...filter, before: after?.[0] }, limit);
  const page = withWholeEntries(await read(changesPerPage)) ?? (await read(changesOfEntry));
  const { changes, last } = withWholeEntries(page) ?? page;
  const stamps = [...new Set(changes.map(({ change }) => change.stamp))];
  const leftOut = filter.id === undefined ? [...(await countLeftOut(session, stamps))] : [];
  return {
    entries: groupByActor(changes).map((entry) => ({
      ...entry,
      leftOut: Object.fromEntries(leftOut.filter(([stamp]) => entry.stamps.includes(stamp))),
    })),
    nextCursor: last === undefined ? null : seal([String(last)]),
  };
}

/**
 * Removes the last entry, which may continue on the next page, and older changes; null if nothing remains.
 */
function withWholeEntries(page: HistoryPage): HistoryPage | null {
  const oldest = page.changes.at(-1)?.change.stamp;
  if (page.last === undefined || oldest === undefined) return page;
  const open = groupByActor(page.changes).find(({ to }) => isWithinEntry(to, oldest));
  const end = page.changes.findIndex(({ change }) => change.stamp === open?.to);
  if (end === 0) return null;
  const changes = page.changes.slice(0, end);
  return { changes, last: changes.at(-1)?.sequence };
}

/** Changes, newest first; `last`: the number of the last one if there are more. */
type HistoryPage = { changes: (Attributed & { sequence: number })[]; last: number | undefined };

export async function readChanges(
  session: Session,
  filter: HistoryFilter,
  limit: number,
): Promise<HistoryPage> {
  const found = await findHistory(session, filter, limit + 1);
  const hasMore = found.length > limit || found.at(-1)?.hasMore === true;
  const rows = hasMore ? wholeTransactions(found.slice(0, limit)) : found;
  const stamps = [...new Set(rows.map(({ stamp }) => stamp))];
  const occurrences = await findOccurrences(session, stamps);
  const alone = await findLogged(session, loneTasksOf(rows));
  const occurrenceOf = new Map(
    [...alone, ...occurrences].map((occurrence) => [occurrence.stamp, occurrence]),
  );
  return {
    changes: rows.flatMap((row) => {
      const occurrence = occurrenceOf.get(row.stamp);
      // The series' change covers it, unless the task's own history is requested.
      if (occurrence?.id === row.id && !alone.includes(occurrence) && filter.id === undefined) return [];
      const change = presentChange(row, occurrence);
      const { actor, isRedo, sequence, sectionOf } = row;
      const { due_date: dueDate, deadline_date: deadlineDate } = row.after;
      return [{ change, actor, isRedo, sequence, sectionOf, day: dueDate ?? deadlineDate }];
    }),
    last: hasMore ? rows.at(-1)?.sequence : undefined,
  };
}

/** The created tasks that are the only change of their transaction, as where a repeat stays on its day. */
function loneTasksOf(rows: readonly HistoryChange[]): string[] {
  const lone = [...Map.groupBy(rows, ({ stamp }) => stamp).values()].filter(({ length }) => length === 1);
  return lone
    .flat()
    .flatMap(({ id, entity, change }) => (entity === 'task' && change === 'created' ? id : []));
}

/** Removes the last transaction, which may be incomplete, unless it is the only one. */
function wholeTransactions<Change extends HistoryChange>(rows: readonly Change[]): readonly Change[] {
  const whole = rows.filter(({ stamp }) => stamp !== rows.at(-1)?.stamp);
  return whole.length > 0 ? whole : rows;
}
