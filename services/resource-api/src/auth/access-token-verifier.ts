import { errors, jwtVerify } from 'jose';
import { LRUCache } from 'lru-cache';
import type { Logger } from '#shared/logging/logger.ts';
import type { Clock } from '#shared/time/clock.ts';
import {
  type AccessTokenClaims,
  accessTokenChecks,
  clockToleranceSeconds,
  isPlainText,
  longestLifetimeSeconds,
  readAccessTokenClaims,
} from '#shared/tokens/access-token-claims.ts';
import type { BearerToken } from './bearer-token.ts';
import type { VerificationKeys } from './verification-keys.ts';

type VerifiedAccessToken = AccessTokenClaims & {
  jti: string;
  keyId: string;
  /** Unix seconds, without clock tolerance. */
  expiresAtSeconds: number;
};

export type AccessTokenVerifier = ReturnType<typeof createAccessTokenVerifier>;

type VerifierOptions = { baseUrl: string; clock: Clock; keys: VerificationKeys; logger: Logger };

const cachedTokens = 10_000;

/**
 * Verifies JWT access tokens as RFC 9068 §4 asks; `undefined` for an invalid one. A signature is verified
 * once per token (cached by digest); its expiry and its key are checked each time. Revocation is the
 * authenticator's check.
 */
export function createAccessTokenVerifier({ baseUrl, clock, keys, logger }: VerifierOptions) {
  const verified = new LRUCache<string, VerifiedAccessToken>({ max: cachedTokens });

  async function isStillValid({ keyId, expiresAtSeconds }: VerifiedAccessToken): Promise<boolean> {
    // RFC 7519 §4.1.4, as jose does it.
    const isExpired = expiresAtSeconds + clockToleranceSeconds <= Math.floor(clock.now().getTime() / 1_000);
    return !isExpired && (await keys.find(keyId)) !== undefined;
  }

  async function verifySignature(token: string): Promise<VerifiedAccessToken | undefined> {
    if (!isCanonical(token)) return undefined;
    const findKey = async ({ kid }: { kid?: string }) => {
      const key = kid === undefined ? undefined : await keys.find(kid);
      if (key === undefined) throw new errors.JWKSNoMatchingKey();
      return key;
    };
    try {
      const { payload, protectedHeader } = await jwtVerify(
        token,
        findKey,
        accessTokenChecks(baseUrl, clock.now()),
      );
      const { jti, exp = Number.NaN, iat = Number.NaN } = payload;
      const claims = readAccessTokenClaims(payload);
      if (claims === undefined || !isPlainText(jti)) return undefined;
      if (!(exp - iat <= longestLifetimeSeconds)) return undefined;
      return { ...claims, jti, keyId: String(protectedHeader.kid), expiresAtSeconds: exp };
    } catch (error) {
      if (!(error instanceof errors.JOSEError)) throw error;
      if (isFromFuture(error))
        logger.warn('an access token is from the future: the clock of auth-server is ahead');
      return undefined;
    }
  }

  return {
    async verify({ token, digest }: BearerToken): Promise<VerifiedAccessToken | undefined> {
      const known = verified.get(digest);
      if (known !== undefined && (await isStillValid(known))) return known;
      verified.delete(digest);
      const found = await verifySignature(token);
      if (found !== undefined) verified.set(digest, found);
      return found;
    },
  };
}

/** The signature is checked before the claims, so the token is one of ours. */
function isFromFuture(error: errors.JOSEError): boolean {
  return (
    error instanceof errors.JWTClaimValidationFailed &&
    error.claim === 'iat' &&
    error.reason === 'check_failed'
  );
}

/** Base64url without padding (RFC 7515 §2) or stray bits (RFC 4648 §3.5): jose accepts other spellings. */
function isCanonical(token: string): boolean {
  return token.split('.').every((part) => Buffer.from(part, 'base64url').toString('base64url') === part);
}
