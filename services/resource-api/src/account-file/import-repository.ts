import { randomUUID } from 'node:crypto';
import { CompiledQuery } from 'kysely';
import { rankStep } from '#shared/app/app-protocol.ts';
import type { Queryable } from '#shared/database/database.ts';
import { runBatches } from '#shared/sweep/sweeper.ts';
import { columnName } from '../database/entity-rows.ts';
import { runLong, type TasksDatabase } from '../database/tasks-database.ts';
import { storageLimitReached } from '../plans/storage-limit.ts';
import type { WriteSession } from '../session.ts';
import { entities, type RowKind } from './file-format.ts';

/** An account has one upload; a new one replaces it. */
export type ImportKey = { accountId: string; importId: string };

/** A piece has up to 2 MB. */
export const piecesPerStatement = 50;
/** An import that was not renewed for this long ended with its process. */
const cutOffMilliseconds = 60_000;

export async function isAccountEmpty(db: Queryable, accountId: string): Promise<boolean> {
  const exists = (table: string) => `exists (select from tasks.${table} where account_id = $1)`;
  const { rows } = await db.query<{ isEmpty: boolean }>({
    text: `select not (${exists('area')} or ${exists('project')} or ${exists('task')}) as "isEmpty"`,
    values: [accountId],
  });
  return rows[0]?.isEmpty === true;
}

/** Starts an upload. Returns undefined while an import of the account runs. */
export async function openImport(db: Queryable, accountId: string, now: Date): Promise<string | undefined> {
  const id = randomUUID();
  const { rows } = await db.query({
    text: `insert into tasks.account_import as present (account_id, id, created_at) values ($1, $2, $3)
      on conflict (account_id) do update
        set id = excluded.id, created_at = excluded.created_at, started_at = null
      where present.started_at is null or present.started_at < $4 returning id`,
    values: [accountId, id, now, new Date(now.getTime() - cutOffMilliseconds)],
  });
  if (rows.length === 0) return undefined;
  await removePieces(db, { accountId, importId: id }, 'of others');
  return id;
}

/**
 * Returns whether it is the account's upload and the import has not started. A part that was stored already
 * stays unchanged. Throws storage_limit_reached if the file exceeds the account's storage limit.
 */
export async function addPart(
  db: Queryable,
  { accountId, importId }: ImportKey,
  { number, content }: { number: number; content: Buffer },
  limitBytes: number,
): Promise<boolean> {
  const { rows } = await db.query<{ isWithin: boolean }>({
    text: `with present as (
        select octet_length($4::bytea) + coalesce((
          select sum(octet_length(content)) from tasks.import_piece
          where account_id = $1 and import_id = $2 and kind = 'part' and number <> $3), 0) <= $5 as is_within
        from tasks.account_import where account_id = $1 and id = $2 and started_at is null),
      added as (
        insert into tasks.import_piece (account_id, import_id, kind, number, content)
        select $1, $2, 'part', $3, $4 from present where is_within on conflict do nothing)
      select is_within as "isWithin" from present`,
    values: [accountId, importId, number, content, limitBytes],
  });
  if (rows[0]?.isWithin === false) throw storageLimitReached(limitBytes);
  return rows.length > 0;
}

/** Returns whether it is the account's upload and the import had not started. */
export async function startImport(
  db: Queryable,
  { accountId, importId }: ImportKey,
  now: Date,
): Promise<boolean> {
  const { rows } = await db.query({
    text: `update tasks.account_import set started_at = $3
      where account_id = $1 and id = $2 and started_at is null returning id`,
    values: [accountId, importId, now],
  });
  return rows.length > 0;
}

/** Renews the time at which the import was last known to run. */
export async function renewImport(
  db: Queryable,
  { accountId, importId }: ImportKey,
  now: Date,
): Promise<void> {
  await db.query({
    text: 'update tasks.account_import set started_at = $3 where account_id = $1 and id = $2',
    values: [accountId, importId, now],
  });
}

/** Yields the uploaded parts in order, up to the first missing one. */
export async function* readParts(
  db: Queryable,
  { accountId, importId }: ImportKey,
): AsyncGenerator<Uint8Array> {
  for (let number = 0; ; number += 1) {
    const { rows } = await db.query<{ content: Buffer }>({
      text: `select content from tasks.import_piece
        where account_id = $1 and import_id = $2 and kind = 'part' and number = $3`,
      values: [accountId, importId, number],
    });
    if (rows[0] === undefined) return;
    yield rows[0].content;
  }
}

/** Stages rows until all of them can be stored in one transaction. */
export async function stageRows(
  database: Pick<TasksDatabase, 'transaction'>,
  { accountId, importId }: ImportKey,
  { kind, number, rows }: { kind: RowKind; number: number; rows: readonly Record<string, unknown>[] },
): Promise<void> {
  const byColumn = rows.map((row) =>
    Object.fromEntries(Object.entries(row).map(([name, value]) => [columnName(name), value])),
  );
  await runLong(database, {
    text: `insert into tasks.import_piece (account_id, import_id, kind, number, content)
      values ($1, $2, $3, $4, $5)`,
    values: [accountId, importId, kind, number, Buffer.from(JSON.stringify(byColumn))],
  });
}

const stagedRows = (kind: RowKind) => `tasks.import_piece piece,
  jsonb_populate_recordset(null::tasks.${kind}, convert_from(piece.content, 'UTF8')::jsonb) staged
  where piece.account_id = $1 and piece.import_id = $2 and piece.kind = '${kind}'`;

/** Returns an id that two tasks of the upload share. */
export async function findRepeatedTask(
  database: Pick<TasksDatabase, 'transaction'>,
  { accountId, importId }: ImportKey,
): Promise<string | undefined> {
  const { rows } = await runLong<{ id: string }>(database, {
    text: `select staged.id from ${stagedRows('task')} group by staged.id having count(*) > 1 limit 1`,
    values: [accountId, importId],
  });
  return rows[0]?.id;
}

/**
 * Stores staged rows with the transaction's timestamp. Ranks are positions in the file: each row also makes a
 * feed entry, so the feed's numbers stay above all ranks.
 */
export async function storeRows(
  session: WriteSession,
  { importId, firstRank }: { importId: string; firstRank: number },
  kind: RowKind,
  number: number,
): Promise<number> {
  const computed = new Map([
    ['account_id', '$1'],
    ['updated_at', '$4::timestamptz'],
    ['rank', `$5::bigint + staged.rank * ${rankStep}`],
    ['day_rank', `(staged.day_rank + 1) * ${rankStep}`],
  ]);
  const columns = Object.keys(entities[kind].properties).map(columnName);
  const values = columns.map((column) => computed.get(column) ?? `staged.${column}`);
  const hasRank = columns.includes('rank');
  const text = `insert into tasks.${kind} (${columns.join(', ')})
      select ${values.join(', ')} from ${stagedRows(kind)} and piece.number = $3`;
  const parameters = [
    session.account.id,
    importId,
    number,
    session.changedAt,
    ...(hasRank ? [firstRank] : []),
  ];
  session.renew();
  return session.change({ compile: () => CompiledQuery.raw(text, parameters) });
}

/** Removes pieces in batches. `which`: those of this upload, or of all earlier ones. */
async function removePieces(
  db: Queryable,
  { accountId, importId }: ImportKey,
  which: 'of this' | 'of others',
): Promise<void> {
  await runBatches(piecesPerStatement, async (limit) => {
    const { rowCount } = await db.query({
      text: `delete from tasks.import_piece where account_id = $1 and (import_id, kind, number) in (
        select import_id, kind, number from tasks.import_piece
        where account_id = $1 and import_id ${which === 'of this' ? '=' : '<>'} $2 limit $3)`,
      values: [accountId, importId, limit],
    });
    return rowCount ?? 0;
  });
}

/** Never rejects, since the import is over: the sweep removes what stays, and reports what keeps it. */
export async function closeImport(db: Queryable, key: ImportKey): Promise<void> {
  try {
    await removePieces(db, key, 'of this');
    await db.query({
      text: 'delete from tasks.account_import where account_id = $1 and id = $2',
      values: [key.accountId, key.importId],
    });
  } catch {}
}

/**
 * Deletes at most `limit` pieces of uploads that were not finished, those of uploads that they replaced too.
 * Returns the number of deleted rows.
 */
export async function removeOldImports(db: Queryable, olderThan: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    text: `with old as (select account_id, id from tasks.account_import where created_at <= $1 limit 100),
      pieces as (
        delete from tasks.import_piece where (account_id, import_id, kind, number) in (
          select piece.account_id, import_id, kind, number from tasks.import_piece piece
          join old on old.account_id = piece.account_id limit $2) returning 1),
      gone as (
        delete from tasks.account_import import using old
        where import.account_id = old.account_id and import.id = old.id
          and (select count(*) from pieces) < $2 returning 1)
      select from pieces union all select from gone`,
    values: [olderThan, limit],
  });
  return rowCount ?? 0;
}
