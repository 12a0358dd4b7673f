import type { RequestHandler } from 'express';
import { addressLimitKey, clientAddress } from './client-address.ts';
import { createAddressExemption } from './exempt-addresses.ts';
import { applyVerdict } from './limit-headers.ts';
import type { RateLimiter } from './rate-limiter.ts';

export type AddressLimitOptions = {
  limiter: RateLimiter;
  trustedProxyHops: number;
  /** Addresses or CIDR ranges that are not limited and get no RateLimit fields from here. */
  exempt: readonly string[];
};

/** Limits requests by the caller's address; throws rate_limited. */
export function limitByAddress({ limiter, trustedProxyHops, exempt }: AddressLimitOptions): RequestHandler {
  const isExempt = createAddressExemption(exempt);
  return async (req, res, next) => {
    const address = clientAddress(req, trustedProxyHops);
    if (!isExempt(address)) applyVerdict(res, await limiter.consume(addressLimitKey(address)));
    next();
  };
}
