import { randomUUID } from 'node:crypto';
import { SignJWT } from 'jose';
import { apiRootOf } from '#shared/http/protected-resource-urls.ts';
import {
  type AccessTokenClaims,
  accessTokenAlgorithm,
  accessTokenType,
  writeAccessTokenClaims,
} from '#shared/tokens/access-token-claims.ts';
import type { SigningKeys } from '../keys/signing-keys.ts';

/** In Unix seconds, as in JWTs. */
export type Validity = { issuedAt: number; expiresAt: number };

export type TokenSigner = { config: { baseUrl: string }; signingKeys: Pick<SigningKeys, 'current'> };

/** A JWT access token (RFC 9068 §2), signed with the key in use. */
export async function signAccessToken(
  { config: { baseUrl }, signingKeys }: TokenSigner,
  claims: AccessTokenClaims,
  { issuedAt, expiresAt }: Validity,
): Promise<string> {
  const { keyId, privateKey } = await signingKeys.current();
  return new SignJWT(writeAccessTokenClaims(claims))
    .setProtectedHeader({ typ: accessTokenType, alg: accessTokenAlgorithm, kid: keyId })
    .setIssuer(baseUrl)
    .setAudience(apiRootOf(baseUrl))
    .setSubject(claims.accountId)
    .setJti(randomUUID())
    .setIssuedAt(issuedAt)
    .setExpirationTime(expiresAt)
    .sign(privateKey);
}
