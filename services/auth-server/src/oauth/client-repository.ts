import type { EntityManager } from '@mikro-orm/postgresql';
import { lookUpTexts } from '#shared/database/query-rows.ts';

/** A registered client, unused until a grant names it. */
export async function insertClient(
  em: EntityManager,
  clientId: string,
  metadata: object,
  now: Date,
): Promise<void> {
  await lookUpTexts(
    em,
    `insert into auth.oauth_client (client_id, metadata, created_at, unused_since) values (?, ?::jsonb, ?, ?)`,
    [clientId, JSON.stringify(metadata), now, now],
  );
}

export async function findClientMetadata(
  em: EntityManager,
  clientId: string,
): Promise<Record<string, unknown> | undefined> {
  const [row] = await lookUpTexts<[metadata: string]>(
    em,
    `select metadata from auth.oauth_client where client_id = ?`,
    [clientId],
  );
  return row && JSON.parse(row[0]);
}
