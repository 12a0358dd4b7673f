import { isIP } from 'node:net';
import { documentLifetime } from './document-lifetime.ts';
import { createFetchTurns, TurnTimeoutError } from './fetch-turns.ts';
import { createRecentEntries } from './recent-entries.ts';
import {
  type DocumentRequestOptions,
  publicInternet,
  requestClientDocument,
  UnreachableHostError,
} from './request-client-document.ts';

/** `document`: a JSON object whose `client_id` is the URL. `maxAgeSeconds`: how long it may be relied on. */
export type ClientDocument = { document: object; maxAgeSeconds: number };

/** Throws ClientDocumentError. */
export type FetchClientDocument = (url: URL) => Promise<{ document: unknown; maxAgeSeconds: number }>;

/** A document can't be had. The message is the same whatever happened; what did is the `cause`, for the log alone. */
export class ClientDocumentError extends Error {
  constructor(cause: unknown) {
    super('the client metadata document could not be fetched', { cause });
    this.name = 'ClientDocumentError';
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

const maximumEntries = 500;
const retryAfterMilliseconds = 10_000;
const turnLimits = { atOnce: 8, waitMilliseconds: 2_500 };

/** Moments are of `now`. */
type KnownDocument = { document: object; freshUntil: number; usableUntil: number };

export type ClientDocumentFetchOptions = Partial<DocumentRequestOptions> & {
  /** In milliseconds; never goes back. */
  now?: () => number;
};

/**
 * Fetches metadata documents and remembers them, each once for all who ask at the same time. A document whose host is
 * out of reach is used for up to a day, so that a client's outage ends none of its users' connections; failures are
 * remembered for a moment, apart from the documents, which they must not displace.
 */
export function createClientDocumentFetch(options: ClientDocumentFetchOptions = {}): FetchClientDocument {
  const { now = () => performance.now(), ...requestOptions } = options;
  const documents = createRecentEntries<KnownDocument>(maximumEntries);
  const failures = createRecentEntries<{ error: ClientDocumentError; until: number }>(maximumEntries);
  const underWay = new Map<string, Promise<ClientDocument>>();
  const turns = createFetchTurns(turnLimits);

  async function fetchAndKeep(url: URL): Promise<ClientDocument> {
    try {
      const { document, headers } = await turns.run(() =>
        requestClientDocument(url, { ...publicInternet, ...requestOptions }),
      );
      const { freshSeconds, usableSeconds } = documentLifetime(headers['cache-control']);
      const known = {
        document,
        freshUntil: now() + freshSeconds * 1_000,
        usableUntil: now() + usableSeconds * 1_000,
      };
      documents.set(url.href, known);
      return answerOf(known);
    } catch (error) {
      return useStaleDocument(url, error);
    }
  }

  /** Throws ClientDocumentError where there is none, or where the host itself no longer stands by it. */
  function useStaleDocument(url: URL, cause: unknown): ClientDocument {
    const error = new ClientDocumentError(cause);
    const retryAt = now() + retryAfterMilliseconds;
    const isOverload = cause instanceof TurnTimeoutError;
    const known = documents.get(url.href);
    if (
      (isOverload || cause instanceof UnreachableHostError) &&
      known !== undefined &&
      known.usableUntil > now()
    ) {
      known.freshUntil = retryAt;
      return answerOf(known);
    }
    if (!isOverload) {
      documents.delete(url.href);
      failures.set(url.href, { error, until: retryAt });
    }
    throw error;
  }

  function answerOf({ document, freshUntil }: KnownDocument): ClientDocument {
    return { document, maxAgeSeconds: Math.floor((freshUntil - now()) / 1_000) };
  }

  return async (url) => {
    if (!isDocumentClientId(url.href))
      throw new ClientDocumentError(new Error('it is no address of a document'));
    const known = documents.get(url.href);
    if (known !== undefined && known.freshUntil > now()) return answerOf(known);
    const failure = failures.get(url.href);
    if (failure !== undefined && failure.until > now()) throw failure.error;
    const pending = underWay.get(url.href) ?? fetchAndKeep(url).finally(() => underWay.delete(url.href));
    underWay.set(url.href, pending);
    return pending;
  };
}
