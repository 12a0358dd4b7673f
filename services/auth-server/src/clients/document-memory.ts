import { LRUCache } from 'lru-cache';
import type { DocumentLifetime } from './document-lifetime.ts';

/** `document`: a JSON object whose `client_id` is its URL. `maxAgeSeconds`: how long it may be relied on. */
export type ClientDocument = { document: unknown; maxAgeSeconds: number };

export type DocumentMemory = {
  /** What needs no request now. Throws the failure of a moment ago. */
  recall(url: string): ClientDocument | undefined;
  keep(url: string, document: unknown, lifetime: DocumentLifetime): ClientDocument;
  /** What may be used though its host can't be asked; it is then left in peace for a moment. */
  recallStale(url: string): ClientDocument | undefined;
  replaceByFailure(url: string, error: Error): void;
};

/** Moments are of `now`. */
type KnownDocument = { document: unknown; freshUntil: number; usableUntil: number };
type KnownFailure = { error: Error; until: number };

const maximumEntries = 500;
/** A host that failed is left in peace for so long. */
export const retryAfterSeconds = 10;

/** Documents and failures are kept apart, so that addresses somebody made up displace no document. */
export function createDocumentMemory(now: () => number): DocumentMemory {
  const documents = new LRUCache<string, KnownDocument>({ max: maximumEntries });
  const failures = new LRUCache<string, KnownFailure>({ max: maximumEntries });

  function answerOf({ document, freshUntil }: KnownDocument): ClientDocument {
    return { document, maxAgeSeconds: Math.floor((freshUntil - now()) / 1_000) };
  }

  return {
    recall(url) {
      const known = documents.get(url);
      if (known !== undefined && known.freshUntil > now()) return answerOf(known);
      const failure = failures.get(url);
      if (failure !== undefined && failure.until > now()) throw failure.error;
      return undefined;
    },
    keep(url, document, { freshSeconds, usableSeconds }) {
      const freshUntil = now() + freshSeconds * 1_000;
      const known = { document, freshUntil, usableUntil: now() + usableSeconds * 1_000 };
      documents.set(url, known);
      return answerOf(known);
    },
    recallStale(url) {
      const known = documents.get(url);
      if (known === undefined || known.usableUntil <= now()) return undefined;
      known.freshUntil = now() + retryAfterSeconds * 1_000;
      return answerOf(known);
    },
    replaceByFailure(url, error) {
      documents.delete(url);
      failures.set(url, { error, until: now() + retryAfterSeconds * 1_000 });
    },
  };
}
