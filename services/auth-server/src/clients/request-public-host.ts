import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** Resolves names, and decides which addresses may be connected to. */
export type PublicAddresses = {
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
  isAllowedAddress(address: string): boolean;
};

export type PublicRequestOptions = PublicAddresses & { request: typeof https.request };

export const publicInternet: PublicRequestOptions = {
  request: https.request,
  resolve: resolveHostname,
  isAllowedAddress: isPublicAddress,
};

/** The host is unreachable or temporarily unavailable: its earlier response may still be valid. */
export class UnreachableHostError extends Error {
  constructor(message: string, cause?: unknown) {
    super(message, { cause });
    this.name = 'UnreachableHostError';
  }
}

async function reach<Result>(step: () => Promise<Result>): Promise<Result> {
  try {
    return await step();
  } catch (error) {
    throw new UnreachableHostError('the host could not be reached', error);
  }
}

/** The accepted responses. `accept`: header of the request. */
type WantedResponse = { accept: string; mediaType: RegExp; maximumBytes: number };
type PublicResponse = { body: Buffer; headers: IncomingHttpHeaders };

const timeoutMilliseconds = 2_500;

/** https, without user information, on a host with a name. */
export function isNamedHostUrl({ protocol, username, password, hostname }: URL): boolean {
  const hasName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return protocol === 'https:' && `${username}${password}` === '' && hasName;
}

/**
 * Fetches an untrusted URL from the public internet only (SSRF): the name is resolved once, every address
 * must be allowed, and the connection goes to one of them. Redirects are not followed. Throws
 * UnreachableHostError, and an Error for another response than accepted.
 */
export async function requestPublicHost(
  url: URL,
  wanted: WantedResponse,
  options: PublicRequestOptions,
): Promise<PublicResponse> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const addresses = await findAllowedAddresses(url.hostname, options, signal);
  const response = await reach(() => sendRequest(url, wanted.accept, addresses, options.request, signal));
  try {
    requireWanted(response, wanted);
    const body = await reach(() => readBody(response, wanted.maximumBytes));
    if (body.length > wanted.maximumBytes) throw new Error(`it has more than ${wanted.maximumBytes} bytes`);
    return { body, headers: response.headers };
  } finally {
    response.destroy();
  }
}

/** Throws UnreachableHostError, also when a single address of the name is not allowed. */
export async function findAllowedAddresses(
  hostname: string,
  { resolve, isAllowedAddress }: PublicAddresses,
  signal: AbortSignal,
): Promise<LookupAddress[]> {
  const addresses = await reach(() => resolve(hostname, signal));
  const refused = addresses.filter((address) => !isAllowedAddress(address));
  // The same error as for an unknown name: the response must not show which names our network has.
  if (refused.length > 0)
    throw new UnreachableHostError(`the host has an address that is not public: ${refused.join(', ')}`);
  return addresses.map((address) => ({ address, family: isIP(address) }));
}

/** c-ares, not getaddrinfo: a slow name server must not block one of libuv's few threads. */
async function resolveHostname(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 1 });
  signal.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw new Error(`${hostname} has no address`, { cause: answers });
}

function sendRequest(
  url: URL,
  accept: string,
  addresses: LookupAddress[],
  request: typeof https.request,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, addresses);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    hostname: url.hostname,
    port: url.port === '' ? 443 : url.port,
    path: `${url.pathname}${url.search}`,
    // Nothing that identifies this service.
    headers: { accept, 'accept-encoding': 'identity' },
    agent: false,
    lookup,
    signal,
  })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

function requireWanted({ statusCode = 0, headers }: IncomingMessage, { mediaType }: WantedResponse): void {
  if (statusCode === 429 || statusCode >= 500)
    throw new UnreachableHostError(`it was answered with ${statusCode}`);
  if (statusCode !== 200) throw new Error(`it was answered with ${statusCode}`);
  const type = headers['content-type'] ?? '';
  if (!mediaType.test(type)) throw new Error(`its media type is '${type}'`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Error(`its encoding is '${encoding}'`);
}

/** Stops reading what is too large. */
async function readBody(response: IncomingMessage, maximumBytes: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maximumBytes) break;
  }
  return Buffer.concat(chunks);
}
