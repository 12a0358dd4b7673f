import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { addressLimitKey, clientAddress } from './client-address.ts';
import { createAddressExemption } from './exempt-addresses.ts';
import { applyVerdict } from './limit-headers.ts';
import type { RateLimiter } from './rate-limiter.ts';

/** The key that a request's address is limited by; undefined for one that is exempt. */
export type AddressKey = (req: IncomingMessage) => string | undefined;

export type AddressKeyOptions = {
  trustedProxyHops: number;
  /** Addresses or CIDR ranges that are not limited and get no RateLimit fields by their address. */
  exempt: readonly string[];
};

export function createAddressKey({ trustedProxyHops, exempt }: AddressKeyOptions): AddressKey {
  const isExempt = createAddressExemption(exempt);
  return (req) => {
    const address = clientAddress(req, trustedProxyHops);
    return isExempt(address) ? undefined : addressLimitKey(address);
  };
}

/** Limits requests by the caller's address; throws rate_limited. */
export function limitByAddress(limiter: RateLimiter, keyOf: AddressKey): RequestHandler {
  return async (req, res, next) => {
    const key = keyOf(req);
    if (key !== undefined) applyVerdict(res, await limiter.consume(key));
    next();
  };
}
