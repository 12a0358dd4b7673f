import { hash } from 'node:crypto';
import { LRUCache } from 'lru-cache';
import type { Clock } from '#shared/time/clock.ts';
import { clockToleranceSeconds } from '#shared/tokens/access-token-claims.ts';
import type { AccessTokenVerifier, VerifiedAccessToken } from './access-token-verifier.ts';
import type { VerificationKeys } from './verification-keys.ts';

export type VerifiedTokenCacheOptions = {
  verifier: AccessTokenVerifier;
  keys: VerificationKeys;
  clock: Clock;
  capacity?: number;
};

/**
 * Remembers which tokens `verifier` accepted, so that a client's next request costs no check of a signature. What
 * can change meanwhile is asked each time: the token's end, and whether its key is still published. Revocation is
 * not known here. Tokens are kept as digests alone; beyond `capacity` the one that was not used for longest goes.
 */
export function cacheVerifiedTokens(options: VerifiedTokenCacheOptions): AccessTokenVerifier {
  const { verifier, keys, clock, capacity = 10_000 } = options;
  const entries = new LRUCache<string, VerifiedAccessToken>({ max: capacity });
  const stillCounts = async (entry: VerifiedAccessToken): Promise<boolean> =>
    !hasExpired(entry, clock.now()) && (await keys.find(entry.keyId)) !== undefined;

  return {
    async verify(token) {
      const digest = hash('sha256', token, 'base64url');
      const known = entries.get(digest);
      if (known !== undefined && (await stillCounts(known))) return known;
      entries.delete(digest);
      const verified = await verifier.verify(token);
      if (verified !== undefined) entries.set(digest, verified);
      return verified;
    },
  };
}

/** The rule of the check itself (RFC 7519 §4.1.4, with the tolerated difference of clocks). */
function hasExpired({ expiresAtSeconds }: VerifiedAccessToken, now: Date): boolean {
  return expiresAtSeconds + clockToleranceSeconds <= Math.floor(now.getTime() / 1_000);
}
