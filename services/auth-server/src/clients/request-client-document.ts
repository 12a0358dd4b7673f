import { Resolver } from 'node:dns/promises';
import type { IncomingHttpHeaders, IncomingMessage } from 'node:http';
import https from 'node:https';
import type { LookupFunction } from 'node:net';
import { isIP } from 'node:net';
import { isPublicAddress } from './public-address.ts';

/** A document and the headers of its response. */
export type RequestedDocument = { document: object; headers: IncomingHttpHeaders };

export type DocumentRequestOptions = {
  request: typeof https.request;
  /** The addresses of a host name. */
  resolve(hostname: string, signal: AbortSignal): Promise<string[]>;
  isAllowedAddress(address: string): boolean;
};

export const publicInternet: DocumentRequestOptions = {
  request: https.request,
  resolve: resolveHostname,
  isAllowedAddress: isPublicAddress,
};

/** The host is unreachable or temporarily unavailable: an earlier document may still be valid. */
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

const timeoutMilliseconds = 2_500;
/** draft-ietf-oauth-client-id-metadata-document §6.6. */
const maximumBytes = 5 * 1024;
const utf8 = new TextDecoder('utf-8', { fatal: true });

/**
 * Fetches a client metadata document. The URL is untrusted, so only hosts on the public internet are requested (SSRF):
 * the name is resolved once, every address of it must be allowed, and the connection goes to one of these.
 * Redirects are not followed. Throws UnreachableHostError, and an Error for a response that is not such a document.
 */
export async function requestClientDocument(
  url: URL,
  options: DocumentRequestOptions,
): Promise<RequestedDocument> {
  const signal = AbortSignal.timeout(timeoutMilliseconds);
  const addresses = await reach(() => options.resolve(url.hostname, signal));
  const refused = addresses.filter((address) => !options.isAllowedAddress(address));
  // The same error as for an unknown name: the response must not show which names our network has.
  if (refused.length > 0)
    throw new UnreachableHostError(`the host has an address that is not public: ${refused.join(', ')}`);
  const response = await reach(() => sendRequest(url, addresses, options.request, signal));
  try {
    requireJson(response);
    const body = await reach(() => readBody(response));
    return { document: parseDocument(body, url.href), headers: response.headers };
  } finally {
    response.destroy();
  }
}

/** c-ares, not getaddrinfo: a slow name server must not block one of libuv's few threads. */
export async function resolveHostname(hostname: string, signal: AbortSignal): Promise<string[]> {
  const resolver = new Resolver({ timeout: timeoutMilliseconds, tries: 1 });
  signal.addEventListener('abort', () => resolver.cancel());
  const answers = await Promise.allSettled([resolver.resolve4(hostname), resolver.resolve6(hostname)]);
  const addresses = answers.flatMap((answer) => (answer.status === 'fulfilled' ? answer.value : []));
  if (addresses.length > 0) return addresses;
  throw new Error(`${hostname} has no address`, { cause: answers });
}

function sendRequest(
  url: URL,
  addresses: readonly string[],
  request: typeof https.request,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const known = addresses.map((address) => ({ address, family: isIP(address) }));
  const lookup: LookupFunction = (_hostname, _options, callback) => callback(null, known);
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
  request({
    hostname: url.hostname,
    port: url.port === '' ? 443 : url.port,
    path: `${url.pathname}${url.search}`,
    // Nothing that identifies this service.
    headers: { accept: 'application/json', 'accept-encoding': 'identity' },
    agent: false,
    lookup,
    signal,
  })
    .on('response', resolve)
    .on('error', reject)
    .end();
  return promise;
}

function requireJson({ statusCode = 0, headers }: IncomingMessage): void {
  if (statusCode === 429 || statusCode >= 500)
    throw new UnreachableHostError(`it was answered with ${statusCode}`);
  if (statusCode !== 200) throw new Error(`it was answered with ${statusCode}`);
  const type = headers['content-type'] ?? '';
  if (!/^application\/([\w.+-]+\+)?json[ \t]*(;|$)/i.test(type))
    throw new Error(`its media type is '${type}'`);
  const encoding = headers['content-encoding'] ?? 'identity';
  if (encoding !== 'identity') throw new Error(`its encoding is '${encoding}'`);
}

/** Stops reading what is too large. */
async function readBody(response: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let length = 0;
  for await (const chunk of response) {
    length += chunk.length;
    chunks.push(chunk);
    if (length > maximumBytes) break;
  }
  return Buffer.concat(chunks);
}

function parseDocument(body: Buffer, clientId: string): object {
  if (body.length > maximumBytes) throw new Error(`it has more than ${maximumBytes} bytes`);
  const document: unknown = JSON.parse(utf8.decode(body));
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error('it is no JSON object');
  }
  if (!('client_id' in document) || document.client_id !== clientId)
    throw new Error('it is of another client_id');
  return document;
}
