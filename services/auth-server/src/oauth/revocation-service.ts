import { createLocalJWKSet, errors, jwtVerify } from 'jose';
import {
  accessTokenChecks,
  clockToleranceSeconds,
  personalTokenClientId,
} from '#shared/tokens/access-token-claims.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';
import { recentlyChangedAccounts, runRevocation, type Session } from '../session.ts';
import { endGrant } from './grant-service.ts';
import { findRefreshTokenOwner, insertRevokedAccessToken } from './oauth-token-repository.ts';

/**
 * Revokes a token of the client and returns whether it was one. Revoking a refresh token ends its grant; an
 * access token only itself. Unknown, expired and other clients' tokens are ignored (RFC 7009 §2.2).
 */
export async function revokeToken(
  session: Session,
  issuer: TokenIssuer,
  { token, clientId }: { token: string; clientId: string },
): Promise<boolean> {
  const accessToken = await readAccessToken(token, issuer, session.clock.now());
  if (accessToken !== undefined) {
    if (accessToken.clientId !== clientId || clientId === personalTokenClientId) return false;
    await runRevocation(session, async ({ em }, affects) => {
      affects(accessToken.accountId);
      await insertRevokedAccessToken(em, accessToken);
    });
    return true;
  }
  const owner = await findRefreshTokenOwner(session.em, token);
  // A concurrent revocation may still wait for its confirmation.
  if (owner === undefined)
    await session.revoker.confirm(await recentlyChangedAccounts(session), performance.now());
  if (owner?.clientId !== clientId) return false;
  await endGrant(session, owner.grantId, 'app_disconnected');
  return true;
}

type TokenIssuer = { config: { baseUrl: string }; signingKeys: SigningKeys };

/** Reads a valid access token of this service; otherwise undefined. */
async function readAccessToken(token: string, { config, signingKeys }: TokenIssuer, now: Date) {
  const published = createLocalJWKSet({ keys: await signingKeys.published() });
  try {
    const { payload } = await jwtVerify(token, published, accessTokenChecks(config.baseUrl, now));
    const expiresAt = new Date((Number(payload.exp) + 2 * clockToleranceSeconds) * 1_000);
    const { jti, sub, client_id: clientId } = payload;
    return { jti: String(jti), accountId: String(sub), clientId: String(clientId), expiresAt };
  } catch (error) {
    if (error instanceof errors.JOSEError) return undefined;
    throw error;
  }
}
