import { widerNetworks } from './client-address.ts';
import type { RateLimiter } from './window-limiter.ts';

/** A /56 may be one client or many. */
const siteShare = 2;
const providerShare = 8;

/**
 * An address limit that counts IPv6 by /64, /56 and /48, with twice and eight times the points. `limit`
 * creates the limiter of a name and a number of points.
 */
export function createNetworkLimit(
  limit: (name: string, points: number) => RateLimiter,
  name: string,
  points: number,
): RateLimiter {
  const host = limit(name, points);
  const site = limit(`${name}_56`, points * siteShare);
  const provider = limit(`${name}_48`, points * providerShare);
  const countsOf = (key: string): [RateLimiter, string][] => {
    const wider = widerNetworks(key);
    return wider === undefined
      ? [[host, key]]
      : [
          [host, key],
          [site, wider.site],
          [provider, wider.provider],
        ];
  };
  const refund = async (counts: readonly [RateLimiter, string][]): Promise<void> => {
    await Promise.all(counts.map(([limiter, key]) => limiter.refund(key)));
  };
  return {
    async consume(key) {
      const counts = countsOf(key);
      const verdicts = await Promise.all(counts.map(([limiter, counted]) => limiter.consume(counted)));
      const refusal = verdicts.find(({ isAllowed }) => !isAllowed);
      const [own] = verdicts;
      if (own === undefined) throw new Error('an address counts at least once');
      if (refusal === undefined) return own;
      await refund(counts.filter((_, index) => verdicts[index]?.isAllowed));
      return refusal;
    },
    refund: (key) => refund(countsOf(key)),
  };
}
