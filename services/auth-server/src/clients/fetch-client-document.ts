import { isIP } from 'node:net';
import PQueue from 'p-queue';
import { documentLifetime } from './document-lifetime.ts';
import { type ClientDocument, createDocumentMemory } from './document-memory.ts';
import {
  type DocumentRequestOptions,
  publicInternet,
  type RequestedDocument,
  requestClientDocument,
  UnreachableHostError,
} from './request-client-document.ts';

/** Throws ClientDocumentError. */
export type FetchClientDocument = (url: URL) => Promise<ClientDocument>;

/** A document can't be had. The message is the same whatever happened; what did is the `cause`, for the log alone. */
export class ClientDocumentError extends Error {
  /** Nobody could be asked, or nobody answers now: the document may be as good as ever. */
  readonly isTemporary: boolean;

  constructor(cause: unknown) {
    super('the client metadata document could not be fetched', { cause });
    this.name = 'ClientDocumentError';
    this.isTemporary = cause instanceof UnreachableHostError || cause instanceof FetchLimitError;
  }
}

const maximumUrlLength = 2_048;

/**
 * Whether a client id is the address of its metadata document (draft-ietf-oauth-client-id-metadata-document §3).
 * Only its usual spelling counts, which leaves out dot segments and user information, and only a host with a name, as
 * the name is what vouches for the client.
 */
export function isDocumentClientId(clientId: string): boolean {
  const url = URL.parse(clientId);
  if (url === null || url.href !== clientId || clientId.length > maximumUrlLength) return false;
  const { protocol, username, password, pathname, hostname } = url;
  const hasName = isIP(hostname.replace(/^\[|\]$/g, '')) === 0;
  return (
    protocol === 'https:' &&
    `${username}${password}` === '' &&
    hasName &&
    pathname !== '/' &&
    !clientId.includes('#')
  );
}

const fetchesAtOnce = 8;
const longestQueueMilliseconds = 2_500;

/** Too many fetches are under way. */
class FetchLimitError extends Error {
  constructor() {
    super(`more than ${fetchesAtOnce} fetches were under way for ${longestQueueMilliseconds} ms`);
    this.name = 'FetchLimitError';
  }
}

export type ClientDocumentFetchOptions = Partial<DocumentRequestOptions> & {
  /** In milliseconds; never goes back. */
  now?: () => number;
};

/**
 * Fetches metadata documents and remembers them, each once for all who ask at the same time. One whose host is out of
 * reach is used for up to a day, so that a client's outage ends none of its users' connections.
 */
export function createClientDocumentFetch(options: ClientDocumentFetchOptions = {}): FetchClientDocument {
  const { now = () => performance.now(), ...requestOptions } = options;
  const memory = createDocumentMemory(now);
  const underWay = new Map<string, Promise<ClientDocument>>();
  const fetchLimit = new PQueue({ concurrency: fetchesAtOnce });

  /** Throws FetchLimitError when the queue does not reach the fetch in time. */
  async function fetchInQueue(url: URL): Promise<RequestedDocument> {
    const queued = new AbortController();
    const timer = setTimeout(() => queued.abort(new FetchLimitError()), longestQueueMilliseconds);
    const fetchNow = () => {
      clearTimeout(timer);
      return requestClientDocument(url, { ...publicInternet, ...requestOptions });
    };
    return fetchLimit.add(fetchNow, { signal: queued.signal });
  }

  async function fetchAndKeep(url: URL): Promise<ClientDocument> {
    try {
      const { document, headers } = await fetchInQueue(url);
      return memory.keep(url.href, document, documentLifetime(headers['cache-control']));
    } catch (cause) {
      return useStale(url, cause);
    }
  }

  function useStale(url: URL, cause: unknown): ClientDocument {
    const error = new ClientDocumentError(cause);
    const stale = error.isTemporary ? memory.recallStale(url.href) : undefined;
    if (stale !== undefined) return stale;
    // The fetch limit says nothing about the document.
    if (!(cause instanceof FetchLimitError)) memory.replaceByFailure(url.href, error);
    throw error;
  }

  return async (url) => {
    if (!isDocumentClientId(url.href))
      throw new ClientDocumentError(new Error('it is no address of a document'));
    const known = memory.recall(url.href);
    if (known !== undefined) return known;
    const pending = underWay.get(url.href) ?? fetchAndKeep(url).finally(() => underWay.delete(url.href));
    underWay.set(url.href, pending);
    return pending;
  };
}
