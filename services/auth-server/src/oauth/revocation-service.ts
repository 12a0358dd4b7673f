import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import type { Session } from '../session.ts';
import type { AccessTokenReader } from './access-token-reader.ts';
import { endGrantByClient } from './grant-service.ts';
import { findRefreshTokenOwner, insertRevokedAccessToken } from './oauth-token-repository.ts';

/**
 * Revokes a token of the client's own and returns whether it was one. A refresh token ends its grant; an access token
 * is refused from now on and leaves its grant. A token that is unknown, another client's or expired changes nothing
 * (RFC 7009 §2.2).
 */
export async function revokeToken(
  session: Session,
  accessTokens: AccessTokenReader,
  { token, clientId }: { token: string; clientId: string },
): Promise<boolean> {
  const accessToken = await accessTokens.read(token);
  if (accessToken !== undefined) {
    if (accessToken.clientId !== clientId || clientId === personalTokenClientId) return false;
    await insertRevokedAccessToken(session.em, accessToken.jti, accessToken.expiresAt);
    return true;
  }
  const owner = await findRefreshTokenOwner(session.em, token);
  if (owner?.clientId !== clientId) return false;
  await endGrantByClient(session, owner.grantId);
  return true;
}
