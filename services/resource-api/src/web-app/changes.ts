import type { AppActor, AppChanges, AppEntity } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { parseInstant } from '#shared/time/calendar-date.ts';
import { openSnapshot, type TasksDatabase } from '../database/tasks-database.ts';
import type { Session } from '../session.ts';
import {
  countClosedTasks,
  type ListedRows,
  listedAreas,
  listedProjects,
  listedSections,
  listedTasks,
} from './listed-rows.ts';

type ChangesRequest = { after: number; stamp: string | undefined; limit: number };

type Entry = { seq: number; entity: AppEntity; id: string; at: string };
type ActingEntry = Entry & { kind: AppActor['kind'] | null; actorId: string; name: string };

/**
 * Reads what changed after a feed number: each record once, in its current state. A record changed again on a
 * later page is repeated there.
 */
export function readChanges(
  database: TasksDatabase,
  { account }: Session,
  request: ChangesRequest,
): Promise<{ changes: AppChanges; entries: number }> {
  return database.transaction(openSnapshot, async (db) => {
    const entries = await readEntries(db, account.id, request);
    if (entries === undefined) return { changes: { reset: true }, entries: 0 };
    const page = entries.slice(0, request.limit);
    const newest = newestOf(page);
    const idsOf = (entity: AppEntity) =>
      newest.filter((entry) => entry.entity === entity).map(({ id }) => id);
    const [upserts, closedTaskCounts] = await Promise.all([
      readRows(db, account.id, idsOf),
      idsOf('task').length > 0 ? countClosedTasks(db, account.id) : null,
    ]);
    const present = new Set(Object.values(upserts).flatMap((rows) => rows.map(({ id }) => id)));
    const last = page.at(-1);
    const changes: AppChanges = {
      reset: false,
      seq: last?.seq ?? request.after,
      stamp: last?.at ?? request.stamp ?? null,
      more: entries.length > page.length,
      account,
      upserts,
      gone: newest.filter(({ id }) => !present.has(id)).map(({ entity, id }) => ({ entity, id })),
      // Notes that were rendered later have no actor, and hide none.
      actors: newestOf(page.filter(({ kind }) => kind !== null)).flatMap(
        ({ entity, id, at, kind, actorId, name }) =>
          kind === null || !present.has(id) ? [] : { entity, id, at, actor: { kind, id: actorId, name } },
      ),
      closedTaskCounts,
    };
    return { changes, entries: page.length };
  });
}

/** The last entry of each record. */
function newestOf(entries: readonly ActingEntry[]): ActingEntry[] {
  return [...new Map(entries.map((entry) => [`${entry.entity} ${entry.id}`, entry])).values()];
}

/**
 * The entries after `after`, at most `limit` + 1. undefined if the database has no entry `after` with that
 * `stamp`: it was swept, or numbers mean other changes since a restore.
 */
async function readEntries(
  db: Queryable,
  accountId: string,
  { after, stamp, limit }: ChangesRequest,
): Promise<ActingEntry[] | undefined> {
  // Includes the entry `after` itself, which comes first if it is stored. The order leads the planner to the
  // primary key, also while statistics do not know of the account's history, as after an import; without its
  // upper bound, a look-up would pass all that the import has pushed out of the history, until a vacuum
  // removes it.
  const { rows } = await db.query<ActingEntry>({
    name: 'read-changes',
    text: `select entry.sequence as seq, entry.entity, entry.entity_id as id, entry.changed_at as at,
        history.actor_kind as kind, history.actor_id as "actorId", history.actor_name as name
      from tasks.feed_entry entry
      left join lateral (select * from tasks.change_history same
        where same.account_id = $1 and same.sequence between entry.sequence and entry.sequence
        order by same.sequence limit 1
      ) history on true
      where entry.account_id = $1 and entry.sequence >= $2
      order by entry.sequence limit $3`,
    values: [accountId, after, limit + 2],
  });
  const [first] = rows;
  if (after === 0) return first === undefined || first.seq === 1 ? rows.slice(0, limit + 1) : undefined;
  const isProven = first?.seq === after && first.at === sameFormat(stamp);
  return isProven ? rows.slice(1) : undefined;
}

function sameFormat(stamp: string | undefined): string | undefined {
  return stamp === undefined ? undefined : parseInstant(stamp)?.toISOString();
}

async function readRows(db: Queryable, accountId: string, idsOf: (entity: AppEntity) => string[]) {
  const read = async <Row extends object, Sent>({ table, columns, present }: ListedRows<Row, Sent>) => {
    const ids = idsOf(table);
    if (ids.length === 0) return [];
    const text = `select ${columns} from tasks.${table} where account_id = $1 and id = any($2::uuid[])`;
    return (await db.query<Row>({ text, values: [accountId, ids] })).rows.map(present);
  };
  const [areas, projects, sections, tasks] = await Promise.all([
    read(listedAreas),
    read(listedProjects),
    read(listedSections),
    read(listedTasks),
  ]);
  return { areas, projects, sections, tasks };
}
