import { zstdCompressSync, zstdDecompressSync } from 'node:zlib';
import type { Queryable } from '#shared/database/database.ts';
import type { WriteSession } from '../session.ts';

const dayMilliseconds = 24 * 3_600 * 1_000;
/** Of the web app: a browser may be shut while a write is under way, and opened again weeks later. */
const browserRetentionDays = 30;

/** Records with a `kept_at` of this or earlier have expired. */
function retainedAfter(now: Date): Date {
  return new Date(now.getTime() - dayMilliseconds);
}

/** Each token has its own keys, and the web app's browsers of an account have them together. */
type KeyOwner = { accountId: string; tokenId: string; keyHash: Buffer };

type IdempotencyRecord = {
  requestHash: Buffer;
  status: number;
  body: StoredBody;
};

/** `rendererVersion`: set if the JSON omits descriptionHtml, which this version renders from the notes. */
export type StoredBody = { compressedJson: Buffer; rendererVersion: number | null };

type RecordRow = Omit<IdempotencyRecord, 'body'> & {
  /** In records of releases before migration 0009-stored-bytes, for a day after the upgrade; else empty. */
  text: string;
  compressedJson: Buffer | null;
  rendererVersion: number | null;
};

export async function findRecord(
  db: Queryable,
  { accountId, tokenId, keyHash }: KeyOwner,
  now: Date,
): Promise<IdempotencyRecord | undefined> {
  const { rows } = await db.query<RecordRow>({
    name: 'find-idempotency-record',
    text: `select request_hash as "requestHash", status, body as text, compressed_body as "compressedJson",
        renderer_version as "rendererVersion" from tasks.kept_answer
      where account_id = $1 and token_id = $2 and key_hash = $3 and kept_at > $4`,
    values: [accountId, tokenId, keyHash, retainedAfter(now)],
  });
  const [row] = rows;
  if (row === undefined) return undefined;
  const { requestHash, status, text, compressedJson, rendererVersion } = row;
  const body = { compressedJson: compressedJson ?? compressJson(text), rendererVersion };
  return { requestHash, status, body };
}

export function compressJson(json: string): Buffer {
  return zstdCompressSync(json);
}

export function decompressJson(compressed: Buffer): string {
  return zstdDecompressSync(compressed).toString();
}

/** Replaces an expired record of the same key. */
export function storeRecord(
  { send, principal }: WriteSession,
  { accountId, tokenId, keyHash }: KeyOwner,
  { requestHash, status, body }: IdempotencyRecord,
  now: Date,
): void {
  const retentionDays = principal.kind === 'browser' ? browserRetentionDays : 1;
  // The sweep takes every record a day after its `kept_at`.
  const keptAt = new Date(now.getTime() + (retentionDays - 1) * dayMilliseconds);
  send({
    name: 'store-idempotency-record',
    text: `insert into tasks.kept_answer
        (account_id, token_id, key_hash, request_hash, status, body,
         compressed_body, renderer_version, kept_at)
      values ($1, $2, $3, $4, $5, '', $6, $7, $8)
      on conflict (account_id, token_id, key_hash) do update set
        request_hash = excluded.request_hash, status = excluded.status, body = '',
        compressed_body = excluded.compressed_body, renderer_version = excluded.renderer_version,
        kept_at = excluded.kept_at`,
    values: [
      accountId,
      tokenId,
      keyHash,
      requestHash,
      status,
      body.compressedJson,
      body.rendererVersion,
      keptAt,
    ],
  });
}

/**
 * Deletes at most `limit` expired records of any account, oldest first; returns their number. Locks the
 * accounts' feeds first, which count the bytes, and skips those that are locked. The CTE is evaluated once; a
 * subquery in the condition might be evaluated again and delete more.
 */
export async function deleteRecords(db: Queryable, now: Date, limit: number): Promise<number> {
  const { rowCount } = await db.query({
    text: `with old as materialized (
        select account_id, token_id, key_hash from tasks.kept_answer where kept_at <= $1
        order by kept_at limit $2
      ), locked as materialized (
        select account_id from tasks.account_feed where account_id in (select account_id from old)
        order by account_id for update skip locked
      )
      delete from tasks.kept_answer answer using old join locked using (account_id)
      where answer.account_id = old.account_id and answer.token_id = old.token_id
        and answer.key_hash = old.key_hash`,
    values: [retainedAfter(now), limit],
  });
  return rowCount ?? 0;
}
