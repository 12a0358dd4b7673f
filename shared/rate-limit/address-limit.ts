import type { IncomingMessage } from 'node:http';
import { BlockList, isIP } from 'node:net';
import type { RequestHandler } from 'express';
import { addressLimitKey, clientAddress } from './client-address.ts';
import { applyVerdict } from './limit-headers.ts';
import type { RateLimiter } from './window-limiter.ts';

/** The rate-limit key of a request's address; undefined if exempt. */
export type AddressKey = (req: IncomingMessage) => string | undefined;

export type AddressKeyOptions = {
  trustedProxyHops: number;
  /** Addresses or CIDR ranges exempt from address limits. */
  addressLimitExempt: readonly string[];
};

export function createAddressKey({ trustedProxyHops, addressLimitExempt }: AddressKeyOptions): AddressKey {
  const exempt = new BlockList();
  for (const entry of addressLimitExempt) {
    const [address = '', prefix] = entry.split('/');
    if (prefix === undefined) exempt.addAddress(address, familyOf(address));
    else exempt.addSubnet(address, Number(prefix), familyOf(address));
  }
  return (req) => {
    const address = clientAddress(req, trustedProxyHops);
    const isExempt = isIP(address) !== 0 && exempt.check(address, familyOf(address));
    return isExempt ? undefined : addressLimitKey(address);
  };
}

function familyOf(address: string): 'ipv4' | 'ipv6' {
  return isIP(address) === 6 ? 'ipv6' : 'ipv4';
}

/** Limits requests by the client's address; throws rate_limited. */
export function limitByAddress(limiter: RateLimiter, keyOf: AddressKey): RequestHandler {
  return async (req, res, next) => {
    const key = keyOf(req);
    if (key !== undefined) applyVerdict(res, await limiter.consume(key));
    next();
  };
}
