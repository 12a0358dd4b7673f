import { createRangeCheck } from '#shared/rate-limit/address-ranges.ts';
import { addressLimitKey } from '#shared/rate-limit/client-address.ts';

/** Addresses of local networks (RFC 1918, 4193, 4291 §2.5.6, loopback). */
const isLocal = createRangeCheck(
  '10.0.0.0/8 172.16.0.0/12 192.168.0.0/16 127.0.0.0/8 fc00::/7 fe80::/10 ::1'.split(' '),
);

/** The address, and whether it is this request's or a local one. */
export function describePlace(address: string, ownAddress: string | null): string {
  if (ownAddress !== null && addressLimitKey(address) === addressLimitKey(ownAddress))
    return `${address} (this network)`;
  return isLocal(address) ? `${address} (a local network)` : address;
}
