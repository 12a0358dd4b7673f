import type { ActivityPage, AppEntity } from '#shared/app/app-protocol.ts';
import { type CursorCodec, openPage } from '../http/cursor.ts';
import type { Session } from '../session.ts';
import { findHistory, findOccurrences, type HistoryFilter } from './activity-repository.ts';
import type { HistoryChange } from './history-change.ts';
import { type Attributed, groupByActor, presentChange } from './present-change.ts';

/** Of one record, or of one token, app or browser. */
type ActivityFilter = {
  cursor?: string | undefined;
  entity?: AppEntity | undefined;
  id?: string | undefined;
  actorId?: string | undefined;
};

/** Together with the limit of their size. */
const changesPerPage = 300;

/**
 * The account's changes of the last 30 days, or those of one record or actor, grouped. A page holds whole transactions, unless
 * one alone is longer; an entry may go on with the next page. Throws validation_error on `cursor`.
 */
export async function readActivity(
  session: Session,
  cursors: CursorCodec,
  { cursor, ...filter }: ActivityFilter,
): Promise<ActivityPage> {
  const list = ['activity', filter.entity, filter.id, filter.actorId];
  const { after, seal } = openPage(cursors, session, list, cursor);
  const page = await readChanges(session, { ...filter, before: after?.[0] }, changesPerPage);
  const { last } = page;
  return {
    entries: groupByActor(page.changes),
    nextCursor: last === undefined ? null : seal([String(last)]),
  };
}

/** Changes, newest first; `last`: the number of the last one, where there are more. */
type HistoryPage = { changes: Attributed[]; last: number | undefined };

export async function readChanges(
  session: Session,
  filter: Omit<HistoryFilter, 'accountId'>,
  limit: number,
): Promise<HistoryPage> {
  const { db, account } = session;
  const found = await findHistory(db, { ...filter, accountId: account.id }, limit + 1);
  const hasMore = found.length > limit || found.at(-1)?.hasMore === true;
  const rows = hasMore ? wholeTransactions(found.slice(0, limit)) : found;
  const stamps = [...new Set(rows.map(({ stamp }) => stamp))];
  const occurrences = await findOccurrences(session, stamps);
  const occurrenceOf = new Map(occurrences.map((occurrence) => [occurrence.stamp, occurrence]));
  return {
    changes: rows.flatMap((row) => {
      const change = presentChange(row, occurrenceOf.get(row.stamp));
      const { due_date: dueDate, deadline_date: deadlineDate } = row.after;
      return change === null
        ? []
        : { change, actor: row.actor, isRedo: row.isRedo, day: dueDate ?? deadlineDate };
    }),
    last: hasMore ? rows.at(-1)?.sequence : undefined,
  };
}

/** Without the last transaction, of which there may be more, unless there is no other. */
function wholeTransactions<Change extends HistoryChange>(rows: readonly Change[]): readonly Change[] {
  const whole = rows.filter(({ stamp }) => stamp !== rows.at(-1)?.stamp);
  return whole.length > 0 ? whole : rows;
}
