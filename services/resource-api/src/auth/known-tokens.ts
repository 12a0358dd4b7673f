import { hash } from 'node:crypto';
import { createRecentEntries } from '#shared/caching/recent-entries.ts';

/** Its account and its id, which never change. */
export type KnownToken = { accountId: string; tokenId: string };

/**
 * Which token or app stands behind what callers send: for those that were let in before, and never more than a hint.
 * That a token has this id says nothing about whether it still counts.
 */
export type KnownTokens = {
  /** `authorization`: the whole header, as it is with each request. */
  find(authorization: string | undefined): KnownToken | undefined;
  remember(authorization: string | undefined, token: KnownToken): void;
  forget(authorization: string | undefined): void;
};

/** Remembers so many; the one that was not used for longest goes first. */
export function createKnownTokens(capacity = 10_000): KnownTokens {
  const tokens = createRecentEntries<KnownToken>(capacity);
  return {
    find: (authorization) => (authorization ? tokens.get(digest(authorization)) : undefined),
    remember(authorization, token) {
      if (authorization !== undefined) tokens.set(digest(authorization), token);
    },
    forget(authorization) {
      if (authorization !== undefined) tokens.delete(digest(authorization));
    },
  };
}

/** No secret is kept for longer than the request that brought it. */
function digest(authorization: string): string {
  return hash('sha256', authorization, 'base64url');
}
