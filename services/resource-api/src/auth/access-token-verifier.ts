import { errors, jwtVerify } from 'jose';
import type { Clock } from '#shared/time/clock.ts';
import {
  type AccessTokenClaims,
  accessTokenChecks,
  isPlainText,
  longestLifetimeSeconds,
  readAccessTokenClaims,
} from '#shared/tokens/access-token-claims.ts';
import type { VerificationKeys } from './verification-keys.ts';

export type VerifiedAccessToken = AccessTokenClaims & {
  jti: string;
  /** Names the key that signed it. */
  keyId: string;
  /** Seconds since 1970, as the token says: the tolerance of clocks comes on top. */
  expiresAtSeconds: number;
};

export type AccessTokenVerifier = { verify(token: string): Promise<VerifiedAccessToken | undefined> };

/** Verifies JWT access tokens as RFC 9068 §4 asks. `undefined` for any token that is not ours, whole and in time. */
export function createAccessTokenVerifier(options: {
  baseUrl: string;
  clock: Clock;
  keys: VerificationKeys;
}): AccessTokenVerifier {
  const { baseUrl, clock, keys } = options;
  return {
    async verify(token) {
      if (!hasOneSpelling(token)) return undefined;
      try {
        const { payload, protectedHeader } = await jwtVerify(
          token,
          async ({ kid }) => {
            const key = kid === undefined ? undefined : await keys.find(kid);
            if (key === undefined) throw new errors.JWKSNoMatchingKey();
            return key;
          },
          accessTokenChecks(baseUrl, clock.now()),
        );
        const { jti, exp = Number.NaN, iat = Number.NaN } = payload;
        const claims = readAccessTokenClaims(payload);
        if (claims === undefined || !isPlainText(jti)) return undefined;
        if (!(exp - iat <= longestLifetimeSeconds)) return undefined;
        return { ...claims, jti, keyId: String(protectedHeader.kid), expiresAtSeconds: exp };
      } catch (error) {
        if (error instanceof errors.JOSEError) return undefined;
        throw error;
      }
    },
  };
}

/**
 * Base64url without padding (RFC 7515 §2) or stray bits (RFC 4648 §3.5). jose takes both, and anybody could spell a
 * token they have in further ways.
 */
function hasOneSpelling(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
