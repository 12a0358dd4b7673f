import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';

/** A registered client, unused until a grant names it. */
export async function insertClient(
  em: EntityManager,
  clientId: string,
  metadata: object,
  now: Date,
): Promise<void> {
  await sql`insert into auth.oauth_client (client_id, metadata, created_at, unused_since)
    values (${clientId}, ${JSON.stringify(metadata)}::jsonb, ${now}, ${now})`.execute(em.getKysely());
}

export async function findClientMetadata(
  em: EntityManager,
  clientId: string,
): Promise<Record<string, unknown> | undefined> {
  const { rows } = await sql<{ metadata: Record<string, unknown> }>`
    select metadata from auth.oauth_client where client_id = ${clientId}`.execute(em.getKysely());
  return rows[0]?.metadata;
}
