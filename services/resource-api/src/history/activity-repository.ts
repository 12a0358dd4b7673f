import type { AppEntity } from '#shared/app/app-protocol.ts';
import { withinPageBytes } from '../database/page-size-limit.ts';
import type { Session } from '../session.ts';
import { type ActorFilter, actorConditions } from './actor-repository.ts';
import { presentRows, valuesLeft } from './change-repository.ts';
import type { HistoryChange, OccurrenceChange } from './record-change.ts';

export type HistoryFilter = ActorFilter & {
  entity?: AppEntity | undefined;
  /** Of one record. */
  id?: string | undefined;
  /** Of the transactions with these timestamps. */
  stamps?: readonly string[] | undefined;
  /** Changes before this number. */
  before?: string | undefined;
};

/** Of a transaction that changed more, the first ones stand for all. */
const changesPerStamp = 100;
/** Longer texts are cut where changes of many records are listed. */
const listedTextLength = 300;

/** Columns that say where a dated task is shown, whether the change wrote them or not. */
const days = `'{"due_date": null, "deadline_date": null}'::jsonb`;

const columns = `history.sequence, history.changed_at, history.entity, history.entity_id, history.change,
  history.actor_kind, history.actor_id, history.actor_name, history.call_id, history.is_undo, history.is_redo,
  history.is_undone, history.before`;

/**
 * Changes by known actors, newest first; at most `limit`, and fewer when they are large. The last one tells
 * whether there are more.
 */
export async function findHistory(
  { db, account }: Session,
  { entity, id, stamps, before, ...by }: HistoryFilter,
  limit: number,
): Promise<(HistoryChange & { hasMore: boolean })[]> {
  const values: unknown[] = [account.id, id === undefined ? listedTextLength : null];
  const bind = (value: unknown): string => `$${values.push(value)}`;
  const conditions = ['history.account_id = $1', `not ${onlyMadeRoom}`, ...actorConditions(by, bind)];
  if (entity !== undefined) conditions.push(`history.entity = ${bind(entity)}`);
  if (id !== undefined) conditions.push(`history.entity_id = ${bind(id)}`);
  else conditions.push(isAmongFirst);
  if (stamps !== undefined) conditions.push(`history.changed_at = any(${bind(stamps)}::timestamptz[])`);
  if (before !== undefined) conditions.push(`history.sequence < ${bind(before)}`);
  const order = 'sequence desc';
  const page = `select ${columns} from tasks.change_history history where ${conditions.join(' and ')}
    order by ${order} limit ${bind(limit)}`;
  const { rows } = await db.query<HistoryChange & { hasMore: boolean }>({
    text: `with page as materialized (${withinPageBytes(page, order, `pg_column_size(before || '{}')`)}),
        now as materialized ${presentRows('array(select entity_id from page)')},
        standing as materialized ${standingUndos}
      select page.sequence, page.changed_at as stamp, page.entity, page.entity_id as id, page.change,
        page.is_redo as "isRedo", page.is_undone as "isUndone",
        not page.is_undone
          and (page.entity_id, page.changed_at) in (select * from standing) as "isPartlyUndone",
        jsonb_build_object('kind', page.actor_kind, 'id', page.actor_id, 'name', page.actor_name,
          'callId', page.call_id, 'isUndo', page.is_undo) as actor,
        ${shortened('page.before')} as before, coalesce(${shortened('written.row')}, '{}') as after,
        coalesce(now.row ->> 'title', gone.row ->> 'title', '') as title, page.has_more as "hasMore",
        case when page.entity = 'section' then coalesce(now.row, gone.row) ->> 'project_id' end as "sectionOf"
      from page left join now using (entity, entity_id)
      cross join lateral (select ${valuesLeft('page', `(page.before || ${days})`)} as left_values) since
      cross join lateral (
        select jsonb_object_agg(key, coalesce(since.left_values -> key, now.row -> key)) as row
        from jsonb_object_keys(page.before || ${days}) key where page.change = 'updated'
      ) written
      left join lateral (
        select later.before as row from tasks.change_history later
        where later.account_id = $1 and later.entity_id = page.entity_id and later.change = 'deleted'
          and now.row is null
        order by later.sequence desc limit 1
      ) gone on true
      order by page.${order}`,
    values,
  });
  return rows;
}

/**
 * The records that an undo changed, with the transaction that it took back, unless it was taken back itself.
 * All at once: a record may have been changed tens of thousands of times.
 */
const standingUndos = `(select entity_id, undo_of from tasks.change_history undo
  where undo.account_id = $1 and undo.sequence > (select min(sequence) from page)
    and undo.undo_of is not null and not undo.is_redo and not undo.is_undone)`;

/** Longer than any run of entries of one transaction without a change that the history keeps. */
const longestGap = 1_000;

/**
 * When the entry so many before was written: entries of one transaction follow each other. `limit` with
 * `order by` leads the planner to the primary key, also while statistics do not know of the account's
 * history, as after an import; the lower bound spares it what the import has pushed out of the history, until
 * a vacuum removes that.
 */
const stampBefore = (entries: number): string => `(select earlier.changed_at from tasks.change_history earlier
  where earlier.account_id = $1
    and earlier.sequence between history.sequence - ${entries + longestGap} and history.sequence - ${entries}
  order by earlier.sequence desc limit 1)`;

const isAmongFirst = `${stampBefore(changesPerStamp)} is distinct from history.changed_at`;

/** Whether the row only made room: of a move, the moved row is changed first. */
const onlyMadeRoom = `(history.change = 'updated'
  and history.before - array['rank', 'day_rank', 'position'] = '{}'
  and ${stampBefore(1)} is not distinct from history.changed_at)`;

/** `$2`: how much of a text is shown; null for all of it. */
const shortened = (row: string): string => `(
    select jsonb_object_agg(key, case when jsonb_typeof(value) = 'string'
        and length(value #>> '{}') > $2::integer
      then to_jsonb(left(value #>> '{}', $2) || '…') else value end)
    from jsonb_each(${row}))`;

/** How many changes of transactions with these stamps `findHistory` leaves out, by the stamp. */
export async function countLeftOut(
  { db, account }: Session,
  stamps: readonly string[],
): Promise<Map<string, number>> {
  const { rows } = await db.query<{ stamp: string; count: number }>({
    text: `with whole as (
        select changed_at, min(sequence) as first from tasks.change_history
        where account_id = $1 and changed_at = any($2::timestamptz[])
        group by changed_at having count(*) > ${changesPerStamp}
      )
      select changed_at as stamp, count(*)::int as count
      from tasks.change_history history join whole using (changed_at)
      where history.account_id = $1 and history.sequence >= whole.first + ${changesPerStamp}
        and not ${onlyMadeRoom}
      group by changed_at`,
    values: [account.id, stamps],
  });
  return new Map(rows.map(({ stamp, count }) => [stamp, count]));
}

/** The logged tasks of repeats that these transactions made, or that their undo removed, beside a change. */
export async function findOccurrences(
  { db, account }: Session,
  stamps: readonly string[],
): Promise<OccurrenceChange[]> {
  const { rows } = await db.query<OccurrenceChange>({
    // An import adds very many tasks and changes none: none of them is looked at.
    text: `with series as materialized (
        select distinct changed_at from tasks.change_history
        where account_id = $1 and changed_at = any($2::timestamptz[])
          and entity = 'task' and change = 'updated'
      ), change as materialized (
        select * from tasks.change_history join series using (changed_at)
        where account_id = $1 and entity = 'task' and change in ('created', 'deleted')
      ), now as materialized ${presentRows('array(select entity_id from change)')}
      select change.changed_at as stamp, change.entity_id as id, change.change
      from change left join now using (entity, entity_id)
      where change.change = 'deleted' or 'completed' = coalesce(
        ${valuesLeft('change', `'{"status": null}'::jsonb`)} ->> 'status', now.row ->> 'status')`,
    values: [account.id, stamps],
  });
  return rows;
}

const closing = `'{"status": null, "completed_at": null}'::jsonb`;

/** Those of the created tasks that a repeat logged, which is completed as it is created. */
export async function findLogged(
  { db, account }: Session,
  ids: readonly string[],
): Promise<OccurrenceChange[]> {
  if (ids.length === 0) return [];
  const { rows } = await db.query<OccurrenceChange>({
    text: `with now as materialized ${presentRows('$2::uuid[]')}
      select change.changed_at as stamp, change.entity_id as id, change.change
      from tasks.change_history change left join now using (entity, entity_id)
      cross join lateral (
        select coalesce(now.row, '{}') || coalesce(${valuesLeft('change', closing)}, '{}') as row
      ) made
      where change.account_id = $1 and change.entity_id = any($2::uuid[]) and change.change = 'created'
        and made.row ->> 'status' = 'completed'
        and (made.row ->> 'completed_at')::timestamptz = change.changed_at`,
    values: [account.id, ids],
  });
  return rows;
}
