import { AppError } from '#shared/errors/app-error.ts';
import { invalidField } from '#shared/errors/errors.ts';
import { knownScopes, type Scope } from '#shared/scopes.ts';
import { personalTokenClientId } from '#shared/tokens/access-token-claims.ts';
import { isApiToken } from '#shared/tokens/api-token.ts';
import { hashSecret } from '#shared/tokens/secret.ts';
import type { Session } from '../session.ts';
import { signAccessToken, type TokenSigner, type Validity } from './access-token-signer.ts';
import { findSubjectTokenByHash, type SubjectTokenRecord } from './subject-token-repository.ts';

type SubjectToken = { token: SubjectTokenRecord; validity: Validity };

/**
 * Returns the live personal token of `text`, and the lifetime of an access token issued from it, which does
 * not exceed its own. Throws invalid_grant.
 */
export async function findSubjectToken(
  { em, clock }: Session,
  text: string,
  accessTokenTtlSeconds: number,
): Promise<SubjectToken> {
  // A wrong form or checksum needs no query.
  const token = isApiToken(text) ? await findSubjectTokenByHash(em, hashSecret(text)) : undefined;
  if (token === undefined) throw new AppError('invalid_grant');
  if (token.revokedAt !== null) throw invalidGrant('The subject token was revoked.');
  const issuedAt = Math.floor(clock.now().getTime() / 1000);
  const ownEnd =
    token.expiresAt === null ? Number.POSITIVE_INFINITY : Math.floor(token.expiresAt.getTime() / 1000);
  const expiresAt = Math.min(issuedAt + accessTokenTtlSeconds, ownEnd);
  if (expiresAt <= issuedAt) throw invalidGrant('The subject token has expired.');
  return { token, validity: { issuedAt, expiresAt } };
}

export type IssuedToken = { accessToken: string; scopes: Scope[]; expiresInSeconds: number };

/**
 * `scope`: requested scope names, separated by single spaces. Throws validation_error for a scope that the
 * token lacks.
 */
export async function exchangeToken(
  signer: TokenSigner,
  { token, validity }: SubjectToken,
  scope: string | undefined,
): Promise<IssuedToken> {
  const granted = knownScopes(scope?.split(' ') ?? token.scopes);
  if (!granted.every((name) => token.scopes.includes(name))) {
    throw invalidField('scope', `scope must not go beyond the subject token’s: ${token.scopes.join(' ')}`);
  }
  const claims = {
    accountId: token.accountId,
    clientId: personalTokenClientId,
    grantId: token.id,
    scopes: granted,
    credentialVersion: token.credentialVersion,
  };
  return {
    accessToken: await signAccessToken(signer, claims, validity),
    scopes: granted,
    expiresInSeconds: validity.expiresAt - validity.issuedAt,
  };
}

function invalidGrant(message: string): AppError {
  return new AppError('invalid_grant', { message });
}
