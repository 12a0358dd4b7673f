import type { IncomingMessage } from 'node:http';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import type { Clock } from '#shared/time/clock.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { apiTokenPrefix, hashApiToken, isApiToken } from '#shared/tokens/api-token.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { findTokenByHash, findTokenById, type TokenRecord } from '../accounts/account-repository.ts';
import type { AccessTokenVerifier } from './access-token-verifier.ts';
import { readBearerToken } from './bearer-token.ts';
import type { Principal } from './principal.ts';

export type Authenticator = (req: IncomingMessage, query: URLSearchParams) => Promise<Principal>;

type AuthenticatorOptions = { em: EntityManager; clock: Clock; accessTokens: AccessTokenVerifier };

/**
 * Who sends this request. Throws token_missing or token_invalid.
 * Both kinds of token end at the record in PostgreSQL, which is read for every request: a token that was revoked
 * or has expired is refused by the very next one, and so is a JWT issued from it.
 */
export function createAuthenticator({ em, clock, accessTokens }: AuthenticatorOptions): Authenticator {
  const principalOfApiToken = async (token: string): Promise<Principal> => {
    if (!isApiToken(token)) throw invalid('The token is malformed.');
    return livePrincipal(await findTokenByHash(em.fork(), hashApiToken(token)), clock);
  };

  const principalOfAccessToken = async (token: string): Promise<Principal> => {
    const claims = await accessTokens.verify(token);
    if (claims?.clientId !== personalTokenClientId || !isUuid(claims.accountId) || !isUuid(claims.grantId)) {
      throw invalid('The token is malformed, expired or not issued by this service.');
    }
    const record = await findTokenById(em.fork(), claims.accountId, claims.grantId);
    const principal = livePrincipal(record, clock);
    return { ...principal, scopes: claims.scopes.filter((scope) => principal.scopes.includes(scope)) };
  };

  return (req, query) => {
    const token = readBearerToken(req, query);
    return token.startsWith(apiTokenPrefix) ? principalOfApiToken(token) : principalOfAccessToken(token);
  };
}

function livePrincipal(record: TokenRecord | undefined, clock: Clock): Principal {
  if (record === undefined) throw invalid('The token is unknown.');
  if (record.isRevoked) throw invalid('The token was revoked.');
  if (record.expiresAt !== null && record.expiresAt <= clock.now()) throw invalid('The token has expired.');
  return record.principal;
}

function invalid(message: string): AppError {
  return new AppError('token_invalid', { message });
}
