import type { EntityManager } from '@mikro-orm/postgresql';

/** Refuses the access token from now on; kept until it would have expired by itself. */
export async function insertRevokedAccessToken(
  em: EntityManager,
  jti: string,
  expiresAt: Date,
): Promise<void> {
  await em.execute(
    `insert into auth.revoked_access_token (jti, expires_at) values (?, ?) on conflict (jti) do nothing`,
    [jti, expiresAt],
  );
}
