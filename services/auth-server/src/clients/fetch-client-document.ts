import { LRUCache } from 'lru-cache';
import { createFetchQueue, FetchLimitError, type FetchQueue } from './fetch-queue.ts';
import {
  isNamedHostUrl,
  type PublicRequestOptions,
  publicInternet,
  requestPublicHost,
  UnreachableHostError,
} from './request-public-host.ts';

/**
 * Returns a JSON object whose `client_id` is its URL. `caller`: the fetch counts for its quota; undefined: no
 * quota. Throws ClientDocumentError.
 */
export type FetchClientDocument = (url: URL, caller?: string) => Promise<object>;

/** The message is always the same; the `cause` is for the log alone. */
export class ClientDocumentError extends Error {
  /** The host was not contacted or is unavailable: a stored document may still be valid. */
  readonly isTemporary: boolean;

  constructor(cause: unknown) {
    super('the client metadata document could not be fetched', { cause });
    this.name = 'ClientDocumentError';
    this.isTemporary = cause instanceof UnreachableHostError || cause instanceof FetchLimitError;
  }
}

const maximumUrlLength = 2_048;

/**
 * Whether a client id is the URL of its metadata document (draft-ietf-oauth-client-id-metadata-document §3).
 * Requires the canonical spelling, without dot segments or user information, and a host name, which vouches
 * for the client.
 */
export function isDocumentClientId(clientId: string): boolean {
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || clientId.length > maximumUrlLength) return false;
  return isNamedHostUrl(url) && url.pathname !== '/' && !clientId.includes('#');
}

const wanted = {
  accept: 'application/json',
  mediaType: /^application\/([\w.+-]+\+)?json[ \t]*(;|$)/i,
  /** draft-ietf-oauth-client-id-metadata-document §6.6. */
  maximumBytes: 5 * 1024,
};
const utf8 = new TextDecoder('utf-8', { fatal: true });

const maximumEntries = 500;
/** How long no request is sent to a host that failed. */
export const retryAfterSeconds = 10;

/** `usableUntil`: a timestamp of `now`; until then it is used while its host is unavailable. */
type KnownDocument = { document: object; usableUntil: number };

export type ClientDocumentFetchOptions = Partial<PublicRequestOptions> & {
  queue?: FetchQueue;
  /** In milliseconds; never goes back. */
  now?: () => number;
};

/**
 * Fetches and caches metadata documents; concurrent requests for one share a fetch. A document is used for up
 * to a day while its host is unavailable. Failures are cached separately, so that invented URLs displace no
 * documents.
 */
export function createClientDocumentFetch(options: ClientDocumentFetchOptions = {}): FetchClientDocument {
  const { queue = createFetchQueue(), now = () => performance.now(), ...requestOptions } = options;
  const cacheOptions = { max: maximumEntries, perf: { now }, ttlResolution: 0 };
  const failures = new LRUCache<string, ClientDocumentError>({
    ...cacheOptions,
    ttl: retryAfterSeconds * 1_000,
  });
  const documents = new LRUCache<string, KnownDocument>({ ...cacheOptions, noDeleteOnStaleGet: true });
  const underWay = new Map<string, Promise<object>>();

  async function fetchAndKeep(url: URL, caller: string | undefined): Promise<object> {
    try {
      const fetchNow = async () => {
        const { body, headers } = await requestPublicHost(url, wanted, {
          ...publicInternet,
          ...requestOptions,
        });
        return { document: parseDocument(body, url.href), headers };
      };
      const { document, headers } = await queue.run(url.host, caller, fetchNow);
      const { freshSeconds, usableSeconds } = documentLifetime(headers['cache-control']);
      const known = { document, usableUntil: now() + usableSeconds * 1_000 };
      documents.set(url.href, known, { ttl: freshSeconds * 1_000 });
      return document;
    } catch (cause) {
      return useStale(url, cause);
    }
  }

  function useStale({ href }: URL, cause: unknown): object {
    const error = new ClientDocumentError(cause);
    const stale = documents.get(href, { allowStale: true });
    if (error.isTemporary && stale !== undefined && stale.usableUntil > now()) {
      documents.set(href, stale, { ttl: retryAfterSeconds * 1_000 });
      return stale.document;
    }
    documents.delete(href);
    // A reached fetch limit is not a failure of the document.
    if (!(cause instanceof FetchLimitError)) failures.set(href, error);
    throw error;
  }

  return async (url, caller) => {
    const { href } = url;
    if (!isDocumentClientId(href))
      throw new ClientDocumentError(new Error('it is not the URL of a document'));
    const known = documents.get(href);
    if (known !== undefined) return known.document;
    const failure = failures.get(href);
    if (failure !== undefined) throw failure;
    const pending = underWay.get(href) ?? fetchAndKeep(url, caller).finally(() => underWay.delete(href));
    underWay.set(href, pending);
    return pending;
  };
}

function parseDocument(body: Buffer, clientId: string): object {
  const document: unknown = JSON.parse(utf8.decode(body));
  if (typeof document !== 'object' || document === null || Array.isArray(document)) {
    throw new Error('it is no JSON object');
  }
  if (!('client_id' in document) || document.client_id !== clientId)
    throw new Error('it is of another client_id');
  return document;
}

const minimumSeconds = 30;
const maximumSeconds = 86_400;
/** Without Cache-Control: long enough for one authorization, up to its tokens. */
const defaultSeconds = 300;

/**
 * How long a document is fresh, by its Cache-Control (RFC 9111 §5.2.2) within bounds, and how long it is used
 * while its host is unavailable: a day, even with must-revalidate, since the alternative is to refuse the
 * app's users.
 */
function documentLifetime(cacheControl = ''): { freshSeconds: number; usableSeconds: number } {
  const directives = cacheControl.split(',').map((directive) => directive.trim().toLowerCase());
  if (directives.includes('no-store')) return { freshSeconds: minimumSeconds, usableSeconds: minimumSeconds };
  const maxAge = directives.map((directive) => /^max-age="?(\d+)"?$/.exec(directive)?.[1]).find(Boolean);
  const asked = directives.includes('no-cache') ? 0 : Number(maxAge ?? defaultSeconds);
  const freshSeconds = Math.min(Math.max(asked, minimumSeconds), maximumSeconds);
  return { freshSeconds, usableSeconds: maximumSeconds };
}
