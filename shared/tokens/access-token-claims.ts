import type { JWTVerifyOptions } from 'jose';
import { apiRootOf } from '../http/protected-resource-urls.ts';
import { isScope, type Scope } from '../scopes.ts';

/** `typ` of our access tokens (RFC 9068 §2.1): an id token or another JWT is never taken for one. */
export const accessTokenType = 'at+jwt';
export const accessTokenAlgorithm = 'ES256';
export const clockToleranceSeconds = 5;
/** No token of ours lives longer, however lifetimes are set. What says otherwise was issued by mistake or by others. */
export const longestLifetimeSeconds = 86_400;

/** `client_id` of tokens exchanged for a personal token, which has no OAuth client. */
export const personalTokenClientId = 'personal-token';

/** The claims we rely on, besides those jose checks (`iss`, `aud`, `exp`, `iat`, `jti`). */
export type AccessTokenClaims = {
  accountId: string;
  clientId: string;
  /** What the token was issued from and falls with: a personal token's id or a connected app's grant. */
  grantId: string;
  scopes: Scope[];
  /** Of an exchanged token: it falls with the account's next password. An app's has none, its grant is ended. */
  credentialVersion: number | undefined;
};

/** What jose checks of an access token besides its signature (RFC 9068 §4): the same wherever one is read. */
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

/** Printable ASCII, as all that we issue: no other text has to be compared, stored or shown. */
export function isPlainText(value: unknown): value is string {
  return typeof value === 'string' && /^[\x20-\x7e]+$/.test(value);
}

/** The claims of a verified payload; undefined when one is missing or of the wrong type. */
export function readAccessTokenClaims(
  payload: Readonly<Record<string, unknown>>,
): AccessTokenClaims | undefined {
  const { sub, client_id: clientId, grant_id: grantId, scope, credential_version: version } = payload;
  if (![sub, clientId, grantId, scope].every(isPlainText)) return undefined;
  return {
    accountId: String(sub),
    clientId: String(clientId),
    grantId: String(grantId),
    scopes: String(scope).split(' ').filter(isScope),
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
