import type { JWTVerifyOptions } from 'jose';
import { apiRootOf } from '../http/protected-resource-urls.ts';
import { knownScopes, type Scope } from '../scopes.ts';

/** `typ` of our access tokens (RFC 9068 §2.1), which distinguishes them from other JWTs. */
export const accessTokenType = 'at+jwt';
export const accessTokenAlgorithm = 'ES256';
export const clockToleranceSeconds = 5;
/** Maximum lifetime of our tokens. A longer one was not issued by us. */
export const longestLifetimeSeconds = 86_400;

/** `client_id` of tokens exchanged for a personal token, which has no OAuth client. */
export const personalTokenClientId = 'personal-token';

/** The claims besides those that jose checks (`iss`, `aud`, `exp`, `iat`, `jti`). */
export type AccessTokenClaims = {
  accountId: string;
  clientId: string;
  /** Id of the personal token or the grant that the token was issued from; the token ends with it. */
  grantId: string;
  scopes: Scope[];
  /** For an exchanged token, which ends with the next password change. An app's grant is deleted instead. */
  credentialVersion: number | undefined;
};

/** The checks of jose besides the signature (RFC 9068 §4), the same wherever a token is read. */
export function accessTokenChecks(baseUrl: string, now: Date): JWTVerifyOptions {
  return {
    algorithms: [accessTokenAlgorithm],
    typ: accessTokenType,
    issuer: baseUrl,
    audience: apiRootOf(baseUrl),
    requiredClaims: ['exp', 'iat', 'jti', 'sub', 'client_id', 'grant_id', 'scope'],
    clockTolerance: clockToleranceSeconds,
    maxTokenAge: longestLifetimeSeconds,
    currentDate: now,
  };
}

/** Printable ASCII, as in all tokens that we issue. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
}

/** Returns the claims of a verified payload; undefined if one is missing or of the wrong type. */
export function readAccessTokenClaims(
  payload: Readonly<Record<string, unknown>>,
): AccessTokenClaims | undefined {
  const { sub, client_id: clientId, grant_id: grantId, scope, credential_version: version } = payload;
  if (![sub, clientId, grantId, scope].every(isPlainText)) return undefined;
  return {
    accountId: String(sub),
    clientId: String(clientId),
    grantId: String(grantId),
    scopes: knownScopes(String(scope).split(' ')),
    credentialVersion: typeof version === 'number' ? version : undefined,
  };
}

export function writeAccessTokenClaims(claims: AccessTokenClaims): Record<string, string | number> {
  return {
    client_id: claims.clientId,
    grant_id: claims.grantId,
    scope: claims.scopes.join(' '),
    ...(claims.credentialVersion !== undefined && { credential_version: claims.credentialVersion }),
  };
}
