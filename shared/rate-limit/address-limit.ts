import type { IncomingMessage } from 'node:http';
import type { RequestHandler } from 'express';
import { createRangeCheck } from './address-ranges.ts';
import { addressLimitKey, clientAddress } from './client-address.ts';
import { applyVerdict } from './limit-headers.ts';
import type { RateLimiter } from './window-limiter.ts';

/** The rate-limit key of a request's address; undefined if exempt. */
export type AddressKey = (req: IncomingMessage) => string | undefined;

type AddressKeyOptions = {
  trustedProxyHops: number;
  /** Addresses or CIDR ranges exempt from address limits. */
  addressLimitExempt: readonly string[];
};

export function createAddressKey({ trustedProxyHops, addressLimitExempt }: AddressKeyOptions): AddressKey {
  const isExempt = createRangeCheck(addressLimitExempt);
  return (req) => {
    const address = clientAddress(req, trustedProxyHops);
    return isExempt(address) ? undefined : addressLimitKey(address);
  };
}

/** Limits requests by the client's address; throws rate_limited. */
export function limitByAddress(limiter: Pick<RateLimiter, 'consume'>, keyOf: AddressKey): RequestHandler {
  return async (req, res, next) => {
    const key = keyOf(req);
    if (key !== undefined) applyVerdict(res, await limiter.consume(key));
    next();
  };
}
