import { isIP } from 'node:net';
import { createRangeCheck } from '#shared/rate-limit/address-ranges.ts';

/**
 * IPv4 ranges without hosts of the public internet: the IANA special-purpose registry (RFC 6890) with
 * multicast, and the address of Azure's virtual host.
 */
const specialIpv4 = [
  '0.0.0.0/8 10.0.0.0/8 100.64.0.0/10 127.0.0.0/8 169.254.0.0/16 172.16.0.0/12',
  '192.0.0.0/24 192.0.2.0/24 192.31.196.0/24 192.52.193.0/24 192.88.99.0/24 192.168.0.0/16 192.175.48.0/24',
  '198.18.0.0/15 198.51.100.0/24 203.0.113.0/24 224.0.0.0/4 240.0.0.0/4',
  '168.63.129.16/32',
].flatMap((ranges) => ranges.split(' '));

/** Global unicast (RFC 4291 §2.5.4): not loopback, mapped IPv4, NAT64, local or multicast. */
const globalIpv6 = ['2000::/3'];
/** Its exceptions: protocol assignments with Teredo, documentation, 6to4, AS112. */
const specialIpv6 = ['2001::/23', '2001:db8::/32', '2002::/16', '2620:4f:8000::/48', '3fff::/20'];

const isSpecial = createRangeCheck([...specialIpv4, ...specialIpv6]);
const isGlobalIpv6 = createRangeCheck(globalIpv6);

/** Whether an address is globally routable (IANA special-purpose address registries). */
export function isPublicAddress(address: string): boolean {
  if (isIP(address) === 4) return !isSpecial(address);
  // An address with a zone (`fe80::1%eth0`) is link-local.
  if (isIP(address) !== 6 || address.includes('%')) return false;
  return isGlobalIpv6(address) && !isSpecial(address);
}
