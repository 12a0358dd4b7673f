import { BlockList, isIP } from 'node:net';
import { addressLimitKey } from '#shared/rate-limit/client-address.ts';

/** Addresses that no network beyond the next router knows (RFC 1918, 4193, 4291 §2.5.6, loopback). */
const local = new BlockList();
for (const [network, length] of [
  ['10.0.0.0', 8],
  ['172.16.0.0', 12],
  ['192.168.0.0', 16],
  ['127.0.0.0', 8],
] as const)
  local.addSubnet(network, length, 'ipv4');
local.addSubnet('fc00::', 7, 'ipv6');
local.addSubnet('fe80::', 10, 'ipv6');
local.addAddress('::1', 'ipv6');

/** The address, and what is known of it without a list of places: whether it is that of this request, or a local one. */
export function describePlace(address: string, ownAddress: string | null): string {
  if (ownAddress !== null && addressLimitKey(address) === addressLimitKey(ownAddress))
    return `${address} (this network)`;
  const isLocal = isIP(address) !== 0 && local.check(address, isIP(address) === 6 ? 'ipv6' : 'ipv4');
  return isLocal ? `${address} (a local network)` : address;
}
