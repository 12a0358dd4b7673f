import { type AppEntity, appEntities, historyDays } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { keptChanges } from '../database/migrations/migration-0007-change-history.ts';
import type { Session } from '../session.ts';
import type { RecordChange } from './record-change.ts';

/** Long columns, and those derived from others. */
const texts = `array['description', 'description_html', 'checklist']`;

/**
 * The rows now of the records with `ids`, an array, as jsonb; `$1` is the account. All at once: while
 * statistics do not know of the account's rows, as after an import, each look-up by id may read all of them.
 */
export const presentRows = (ids: string): string =>
  `(${appEntities
    .map(
      (entity) => `select '${entity}' as entity, present.id as entity_id, to_jsonb(present) as row
      from tasks.${entity} present where present.account_id = $1 and present.id = any(${ids})`,
    )
    .join(' union all ')})`;

/** The values that `change` wrote to columns (of `wanted`) that later transactions changed, as jsonb. */
export const valuesLeft = (change: string, wanted?: string): string => `(
    select jsonb_object_agg(first.key, first.value) from (
      select distinct on (field.key) field.key, field.value
      from tasks.change_history later cross join lateral jsonb_each(later.before) field
      where later.account_id = $1 and later.entity_id = ${change}.entity_id
        and later.sequence > ${change}.sequence and later.changed_at > ${change}.changed_at
        ${wanted === undefined ? '' : `and ${wanted} ? field.key`}
      order by field.key, later.sequence
    ) first)`;

export type ChangedRecord = Pick<RecordChange, 'entity' | 'id' | 'change'>;

/**
 * The records that a transaction changed, without undone changes and without records that it created and
 * deleted.
 */
export async function findChangedRecords({ db, account }: Session, stamp: string): Promise<ChangedRecord[]> {
  const { rows } = await db.query<ChangedRecord>({
    text: `select entity, entity_id as id,
        case when bool_or(change = 'created') then 'created' when bool_or(change = 'deleted') then 'deleted'
          else 'updated' end as change
      from tasks.change_history where account_id = $1 and changed_at = $2 and not is_undone
      group by entity, entity_id
      having count(distinct change) filter (where change <> 'updated') < 2
      order by min(sequence)`,
    values: [account.id, stamp],
  });
  return rows;
}

/** If the transaction changed a record several times, its earliest old value counts. */
export async function findRecordChanges(
  { db, account }: Session,
  stamp: string,
  records: readonly ChangedRecord[],
): Promise<RecordChange[]> {
  type Row = Omit<RecordChange, 'entity' | 'change'>;
  const { rows } = await db.query<Row>({
    text: `with change as (
        select entity, entity_id, changed_at, max(sequence) as sequence from tasks.change_history
        where account_id = $1 and changed_at = $2 and entity_id = any($3::uuid[])
        group by entity, entity_id, changed_at
      ), now as materialized ${presentRows('$3::uuid[]')}
      select change.entity_id as id, coalesce(own.before, '{}') as before,
        array(select key from jsonb_each(since.left_values)
          where value is distinct from now.row -> key) as "changedSince",
        coalesce(since.left_values - ${texts}, '{}') as left,
        array(select key from jsonb_each(own.before)
          where value is not distinct from now.row -> key) as "alreadyBack",
        now.row - ${texts} as present
      from change left join now using (entity, entity_id)
      cross join lateral (
        select jsonb_object_agg(field.key, field.value order by history.sequence desc) as before
        from tasks.change_history history cross join lateral jsonb_each(history.before) field
        where history.account_id = $1 and history.changed_at = $2 and history.entity_id = change.entity_id
      ) own
      cross join lateral (select ${valuesLeft('change')} as left_values) since`,
    values: [account.id, stamp, records.map(({ id }) => id)],
  });
  const byId = new Map(rows.map((row) => [row.id, row]));
  return records.flatMap(({ entity, id, change }) => {
    const row = byId.get(id);
    return row === undefined ? [] : { ...row, entity, change };
  });
}

/** The number of changes of the transaction, and the notes whose HTML an undo would need. */
export async function findExtent(
  db: Queryable,
  accountId: string,
  stamp: string,
): Promise<{ changes: number; notes: string[] }> {
  const { rows } = await db.query<{ changes: number; notes: string[] }>({
    text: `select count(*)::integer as changes, coalesce(array_agg(distinct before ->> 'description')
        filter (where jsonb_typeof(before -> 'description') = 'string'), '{}') as notes
      from tasks.change_history where account_id = $1 and changed_at = $2`,
    values: [accountId, stamp],
  });
  return rows[0] ?? { changes: 0, notes: [] };
}

/**
 * The last record of the transaction whose change newer ones have pushed out of the history; undefined if the
 * history has the whole transaction.
 */
export async function findPushedOut(
  db: Queryable,
  accountId: string,
  stamp: string,
): Promise<{ entity: AppEntity; id: string; title: string } | undefined> {
  const { rows } = await db.query<{ entity: AppEntity; id: string; title: string }>({
    text: `with first as (
        select min(sequence) as sequence from tasks.change_history where account_id = $1 and changed_at = $2
      )
      select entry.entity, entry.entity_id as id, coalesce(now.row ->> 'title', '') as title
      from first join tasks.feed_entry entry
        on entry.account_id = $1 and entry.sequence = first.sequence - 1 and entry.changed_at = $2
      left join lateral ${presentRows('array[entry.entity_id]')} now using (entity, entity_id)
      where entry.sequence <= (select last_sequence from tasks.account_feed where account_id = $1)
          - ${keptChanges}
        and not exists (select from tasks.change_history earlier
          where earlier.account_id = $1 and earlier.sequence < first.sequence)`,
    values: [accountId, stamp],
  });
  return rows[0];
}

/** The time of the oldest change that the history has, if newer ones have pushed out those before it. */
export async function findPushedOutUntil({ db, account }: Owner): Promise<string | undefined> {
  const { rows } = await db.query<{ stamp: string }>({
    text: `select oldest.changed_at as stamp from tasks.account_feed feed
      cross join lateral (select sequence, changed_at from tasks.change_history
        where account_id = $1 order by sequence limit 1) oldest
      where feed.account_id = $1 and oldest.sequence between 2 and feed.last_sequence - ${keptChanges} + 1`,
    values: [account.id],
  });
  return rows[0]?.stamp;
}

/** The `stamps` that have changes, newest first. */
export async function findStamps(
  db: Queryable,
  accountId: string,
  stamps: readonly string[],
): Promise<string[]> {
  const { rows } = await db.query<{ stamp: string }>({
    text: `select distinct changed_at as stamp from tasks.change_history
      where account_id = $1 and changed_at = any($2::timestamptz[]) order by stamp desc`,
    values: [accountId, stamps],
  });
  return rows.map(({ stamp }) => stamp);
}

type Owner = Pick<Session, 'db' | 'account'>;

export async function findStampsOfCall(owner: Owner, callId: string): Promise<string[]> {
  return (await findStampsOfCalls(owner, [callId])).map(({ stamp }) => stamp);
}

/** Oldest first. */
export async function findStampsOfCalls(
  { db, account }: Owner,
  callIds: readonly string[],
): Promise<{ callId: string; stamp: string }[]> {
  const { rows } = await db.query<{ callId: string; stamp: string }>({
    text: `select distinct call_id as "callId", changed_at as stamp from tasks.change_history
      where account_id = $1 and call_id = any($2::uuid[]) order by stamp`,
    values: [account.id, callIds],
  });
  return rows;
}

export async function findRecordsOfCall(
  { db, account }: Session,
  callId: string,
): Promise<{ entity: AppEntity; id: string }[]> {
  const { rows } = await db.query<{ entity: AppEntity; id: string }>({
    text: `select distinct entity, entity_id as id from tasks.change_history
      where account_id = $1 and call_id = $2`,
    values: [account.id, callId],
  });
  return rows;
}

/** The last call or request by which the token or app changed something: its call id, or its stamp. */
export async function findLatest({ db, account }: Session, actorId: string): Promise<string | undefined> {
  const { rows } = await db.query<{ stamp: string; callId: string | null }>({
    text: `select changed_at as stamp, call_id as "callId" from tasks.change_history
      where account_id = $1 and actor_id = $2 order by sequence desc limit 1`,
    values: [account.id, actorId],
  });
  return rows[0]?.callId ?? rows[0]?.stamp;
}

/**
 * Removes at most `limit` expired changes of any account, oldest first; returns their number. Locks the
 * accounts' feeds first, which count the bytes, and skips those that are locked.
 */
export async function deleteOldChanges(db: Queryable, now: Date, limit: number): Promise<number> {
  const changedUntil = new Date(now.getTime() - historyDays * 24 * 3_600 * 1_000);
  const { rowCount } = await db.query({
    text: `with old as materialized (
        select account_id, sequence from tasks.change_history where changed_at <= $1
        order by changed_at limit $2
      ), locked as materialized (
        select account_id from tasks.account_feed where account_id in (select account_id from old)
        order by account_id for update skip locked
      )
      delete from tasks.change_history change using old join locked using (account_id)
      where change.account_id = old.account_id and change.sequence = old.sequence`,
    values: [changedUntil, limit],
  });
  return rowCount ?? 0;
}
