import type { IncomingMessage } from 'node:http';

/** Concern one connection only (RFC 9110 §7.6.1). */
const HOP_BY_HOP = new Set([
  'connection',
  'http2-settings',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/** What `Connection` may not take away: they say where the message ends and whom it is for. */
const NEVER_NOMINATED = new Set(['content-length', 'host']);

export type HeaderLine = readonly [name: string, value: string];

/** The header lines of a message that travel on, in order, repeated ones repeated. */
export function endToEndHeaders(message: IncomingMessage): HeaderLine[] {
  const lines = headerLines(message);
  const nominated = new Set(
    lines
      .filter(([name]) => name.toLowerCase() === 'connection')
      .flatMap(([, value]) => value.toLowerCase().split(','))
      .map((name) => name.trim())
      .filter((name) => !NEVER_NOMINATED.has(name)),
  );
  return lines.filter(([name]) => !HOP_BY_HOP.has(name.toLowerCase()) && !nominated.has(name.toLowerCase()));
}

export type ForwardingRules = {
  /** The host the caller asked for. */
  host: string | undefined;
  /** Whether a proxy in front of the gateway is trusted to say how the caller reached it. */
  trustsProxy: boolean;
};

/**
 * The request's headers for the service, by lower-case name.
 * The caller's address is appended to X-Forwarded-For, so the last entry is the one that can be believed.
 */
export function forwardedRequestHeaders(
  request: IncomingMessage,
  rules: ForwardingRules,
): Map<string, string[]> {
  const headers = new Map<string, string[]>();
  for (const [name, value] of endToEndHeaders(request)) {
    const key = name.toLowerCase();
    headers.set(key, [...(headers.get(key) ?? []), value]);
  }
  const address = (request.socket.remoteAddress ?? 'unknown').replace(/^::ffff:(?=[\d.]+$)/, '');
  headers.set('x-forwarded-for', [[...(headers.get('x-forwarded-for') ?? []), address].join(', ')]);
  const claimed = (name: string): string | undefined =>
    rules.trustsProxy ? headers.get(name)?.[0] : undefined;
  headers.set('x-forwarded-proto', [claimed('x-forwarded-proto') ?? 'http']);
  const { host } = rules;
  headers.delete('host');
  if (host !== undefined) headers.set('host', [host]);
  const forwardedHost = claimed('x-forwarded-host') ?? host;
  headers.delete('x-forwarded-host');
  if (forwardedHost !== undefined) headers.set('x-forwarded-host', [forwardedHost]);
  return headers;
}

function headerLines(message: IncomingMessage): HeaderLine[] {
  const { rawHeaders } = message;
  const lines: HeaderLine[] = [];
  for (let index = 0; index + 1 < rawHeaders.length; index += 2) {
    lines.push([rawHeaders[index] ?? '', rawHeaders[index + 1] ?? '']);
  }
  return lines;
}
