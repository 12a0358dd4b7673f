import { hash } from 'node:crypto';
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
  // A Map keeps the order in which entries were set: the oldest use comes first.
  const entries = new Map<string, VerifiedAccessToken>();

  const take = (digest: string): VerifiedAccessToken | undefined => {
    const entry = entries.get(digest);
    entries.delete(digest);
    return entry;
  };
  const put = (digest: string, entry: VerifiedAccessToken): void => {
    entries.set(digest, entry);
    const [oldest] = entries.keys();
    if (entries.size > capacity && oldest !== undefined) entries.delete(oldest);
  };
  const stillCounts = async (entry: VerifiedAccessToken): Promise<boolean> =>
    !hasExpired(entry, clock.now()) && (await keys.find(entry.keyId)) !== undefined;

  return {
    async verify(token) {
      const digest = hash('sha256', token, 'base64url');
      const known = take(digest);
      const verified =
        known !== undefined && (await stillCounts(known)) ? known : await verifier.verify(token);
      if (verified !== undefined) put(digest, verified);
      return verified;
    },
  };
}

/** The rule of the check itself (RFC 7519 §4.1.4, with the tolerated difference of clocks). */
function hasExpired({ expiresAtSeconds }: VerifiedAccessToken, now: Date): boolean {
  return expiresAtSeconds + clockToleranceSeconds <= Math.floor(now.getTime() / 1_000);
}
