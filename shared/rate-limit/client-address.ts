import type { IncomingMessage } from 'node:http';
import { isIP, SocketAddress } from 'node:net';

/**
 * The client's address in canonical form, or `unknown`.
 *
 * Our gateway appends the address it saw to X-Forwarded-For; `trustedProxyHops` counts further trusted
 * proxies in front of it. Only the last `trustedProxyHops` + 1 entries are trustworthy: the left-most of them
 * is the client. If it is not an address, the next one to its right is used, and finally the socket.
 */
export function clientAddress(req: IncomingMessage, trustedProxyHops: number): string {
  const entries = String(req.headers['x-forwarded-for'] ?? '').split(',');
  for (const entry of entries.slice(-(trustedProxyHops + 1))) {
    const address = parseAddress(entry);
    if (address !== undefined) return address;
  }
  return parseAddress(req.socket.remoteAddress ?? '') ?? 'unknown';
}

/**
 * The rate-limit key of an address: IPv4 as it is, IPv6 by /64, within which a host may choose its address
 * (RFC 4291 §2.5.4).
 */
export function addressLimitKey(address: string): string {
  const canonical = parseAddress(address) ?? address;
  return isIP(canonical) === 6 ? networkOf(canonical, 64) : canonical;
}

/** The wider networks of an IPv6 key, which may belong to one client (RFC 6177 §2). */
export function widerNetworks(key: string): { site: string; provider: string } | undefined {
  const [address = '', length] = key.split('/');
  return length === '64' ? { site: networkOf(address, 56), provider: networkOf(address, 48) } : undefined;
}

function networkOf(address: string, length: 48 | 56 | 64): string {
  const [left = '', right] = address.split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? [] : Array.from({ length: 8 - head.length - tail.length }, () => '0');
  const groups = [...head, ...zeros, ...tail].slice(0, 4);
  const fourth = Number.parseInt(groups.pop() ?? '0', 16) & { 48: 0, 56: 0xff00, 64: 0xffff }[length];
  return `${[...groups, fourth.toString(16)].join(':')}::/${length}`;
}

/** Accepts a port (`192.0.2.1:443`, `[2001:db8::1]:443`), which some proxies append. */
function parseAddress(text: string): string | undefined {
  const address = text
    .trim()
    .replace(/^\[([^\]]+)\](?::\d+)?$/, '$1')
    .replace(/^([\d.]+):\d+$/, '$1');
  const version = isIP(address);
  if (version === 0) return undefined;
  return version === 4 ? address : withoutMapping(new SocketAddress({ address, family: 'ipv6' }).address);
}

/** An IPv4 client on a dual-stack socket (RFC 4291 §2.5.5.2). */
function withoutMapping(address: string): string {
  return /^::ffff:([\d.]+)$/.exec(address)?.[1] ?? address;
}
