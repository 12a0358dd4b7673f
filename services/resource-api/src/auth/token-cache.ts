import { LRUCache } from 'lru-cache';
import type { AccountVersion } from '#shared/rate-limit/request-counter.ts';
import type { Clock } from '#shared/time/clock.ts';
import type { Principal } from './principal.ts';
import type { PrincipalChanges } from './principal-changes.ts';
import type { TokenRecord } from './token-repository.ts';

/** Returns the owner of a token, which may be invalid. */
export type TokenOwner = Pick<Principal, 'kind' | 'credentialId'> & { accountId: string };

/** `cached`, or why PostgreSQL was asked. */
export type RecordSource =
  | 'cached'
  | 'redis_away'
  | 'first_use'
  | 'version_changed'
  | 'connection_changed'
  | 'change_polled'
  | 'lease_lapsed'
  | 'expired';

type ReadRecord = () => Promise<TokenRecord | undefined>;

export type TokenCache = ReturnType<typeof createTokenCache>;

/** A record or a pending read of it, which began at the event `readAt`, after the version was read. */
type Entry = { version: AccountVersion; readAt: number; record: Promise<TokenRecord | undefined> };
type Remembered = { token: TokenOwner; entry?: Entry };

const rememberedTokens = 16_000;

type TokenCacheOptions = {
  clock: Clock;
  changes: PrincipalChanges;
  observe(source: RecordSource): void;
};

/**
 * The records behind tokens, by the digest of the token. A record is valid while its account's version is the
 * one it was read under, on the same connection, no change was polled since, and the lease is valid: a change
 * deletes the version in Redis, or waits until every lease has lapsed.
 */
export function createTokenCache({ clock, changes, observe }: TokenCacheOptions) {
  const tokens = new LRUCache<string, Remembered>({ max: rememberedTokens });

  const isExpired = (record: TokenRecord | undefined): boolean =>
    record !== undefined && record.expiresAt !== null && record.expiresAt <= clock.now();

  function sourceFor(known: Remembered | undefined, version: AccountVersion | undefined): RecordSource {
    // Called first, because it starts polling.
    const isFresh = changes.isFresh();
    if (known === undefined) return 'first_use';
    if (version === undefined) return 'redis_away';
    const { token, entry } = known;
    if (entry === undefined) return 'first_use';
    if (entry.version.connection !== version.connection) return 'connection_changed';
    if (entry.version.value !== version.value) return 'version_changed';
    if (entry.readAt <= changes.invalidatedUpTo(token.accountId)) return 'change_polled';
    return isFresh ? 'cached' : 'lease_lapsed';
  }

  return {
    ownerOf: (digest: string): TokenOwner | undefined => tokens.get(digest)?.token,
    delete: (digest: string): void => void tokens.delete(digest),
    /** `version`: that of the token's account in this request. */
    async readThrough(digest: string, version: AccountVersion | undefined, read: ReadRecord) {
      const known = tokens.get(digest);
      const source = sourceFor(known, version);
      if (source === 'cached' && known?.entry !== undefined) {
        const record = await known.entry.record;
        observe(isExpired(record) ? 'expired' : source);
        if (!isExpired(record)) return record;
      } else observe(source);

      const entry = { readAt: changes.nextEvent(), record: read() };
      if (known !== undefined && version !== undefined) known.entry = { ...entry, version };
      const record = await entry.record.catch((error: unknown) => {
        tokens.delete(digest);
        throw error;
      });
      if (record === undefined) return undefined;
      const { kind, credentialId, account } = record.principal;
      // The token's owner was unknown or another account: store it, and use this record once.
      if (known?.token.accountId !== account.id)
        tokens.set(digest, { token: { kind, credentialId, accountId: account.id } });
      return record;
    },
  };
}
