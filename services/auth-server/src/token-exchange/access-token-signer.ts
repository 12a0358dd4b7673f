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

export type AccessTokenSigner = { sign(claims: AccessTokenClaims, validity: Validity): Promise<string> };

/** Signs JWT access tokens (RFC 9068 §2) with the key in use. */
export function createAccessTokenSigner(baseUrl: string, keys: SigningKeys): AccessTokenSigner {
  return {
    async sign(claims, { issuedAt, expiresAt }) {
      const { keyId, privateKey } = await keys.current();
      return new SignJWT(writeAccessTokenClaims(claims))
        .setProtectedHeader({ typ: accessTokenType, alg: accessTokenAlgorithm, kid: keyId })
        .setIssuer(baseUrl)
        .setAudience(apiRootOf(baseUrl))
        .setSubject(claims.accountId)
        .setJti(randomUUID())
        .setIssuedAt(issuedAt)
        .setExpirationTime(expiresAt)
        .sign(privateKey);
    },
  };
}
