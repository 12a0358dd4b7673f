import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../database/query.ts';

/** Only for a client with a grant: the sweep deletes logos after the last grant ended. */
export async function storeClientLogo(
  em: EntityManager,
  { clientId, image, now }: { clientId: string; image: Buffer; now: Date },
): Promise<void> {
  await query(em)`insert into auth.client_logo (client_id, image, stored_at)
    select ${clientId}, ${image}, ${now}
    where exists (select from auth.oauth_grant where client_id = ${clientId})
    on conflict (client_id) do update set image = excluded.image, stored_at = excluded.stored_at`;
}

export async function findClientsWithLogo(
  em: EntityManager,
  clientIds: readonly string[],
): Promise<Set<string>> {
  const rows = await query(em)<{ clientId: string }>`
    select client_id as "clientId" from auth.client_logo where client_id = any(${clientIds})
  `;
  return new Set(rows.map(({ clientId }) => clientId));
}
