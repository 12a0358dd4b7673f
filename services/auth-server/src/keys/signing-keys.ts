import type { KeyObject } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import type { JWK } from 'jose';
import type { Logger } from '#shared/logging/logger.ts';
import type { KeyObserver } from '#shared/metrics/key-metrics.ts';
import { establishKeys } from './key-rotation.ts';
import { decryptPrivateKey, type KeyCipher } from './signing-key.ts';
import { readPublishedKeys } from './signing-key-repository.ts';

export type CurrentKey = { keyId: string; privateKey: KeyObject };

/** The keys in memory, at most a few seconds behind a rotation. */
export type SigningKeys = ReturnType<typeof createSigningKeys>;

type SigningKeysOptions = {
  em: EntityManager;
  cipher: KeyCipher;
  logger: Logger;
  /** Lifetime of the tokens that this replica signs. */
  tokenLifetimeSeconds: number;
  observer?: KeyObserver;
};

type Snapshot = { current: CurrentKey; currentSince: Date; published: JWK[] };

const freshMilliseconds = 3_000;

/** Keys in memory are used while they cannot be read again: signatures of a retired key stay valid. */
export function createSigningKeys(options: SigningKeysOptions) {
  const { logger, observer } = options;
  let snapshot: Snapshot | undefined;
  let triedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<Snapshot> | undefined;

  const load = (): Promise<Snapshot> => {
    loading ??= loadSnapshot(options)
      .then(
        (loaded) => {
          snapshot = loaded;
          observer?.keysLoaded(loaded.currentSince);
          return loaded;
        },
        (error: unknown) => {
          observer?.loadFailed();
          throw error;
        },
      )
      .finally(() => {
        triedAt = performance.now();
        loading = undefined;
      });
    return loading;
  };

  const recent = async (): Promise<Snapshot> => {
    const known = snapshot;
    if (known === undefined) return load();
    if (performance.now() - triedAt < freshMilliseconds) return known;
    return load().catch((error: unknown) => {
      logger.warn({ err: error }, 'the signing keys could not be read again');
      return known;
    });
  };

  return {
    current: async () => (await recent()).current,
    /** The public part of every published key (RFC 7517). */
    published: async () => (await recent()).published,
    /** Reads the keys, creating the first ones if there are none. Throws if database or secret fails. */
    async reload(): Promise<void> {
      await load();
    },
  };
}

/** Creates missing keys, or announces a longer token lifetime. */
async function loadSnapshot(options: SigningKeysOptions): Promise<Snapshot> {
  const found = await readSnapshot(options);
  if (found !== undefined) return found;
  await establishKeys(options.em, options.cipher, options.tokenLifetimeSeconds);
  const snapshot = await readSnapshot(options);
  if (snapshot === undefined) throw new Error('there is no signing key in use');
  return snapshot;
}

/** Undefined if no key is announced for the lifetime of this replica's tokens. */
async function readSnapshot({
  em,
  cipher,
  tokenLifetimeSeconds,
}: SigningKeysOptions): Promise<Snapshot | undefined> {
  const keys = await readPublishedKeys(em.fork());
  const current = keys.find(({ state }) => state === 'current');
  if (current?.privateKeyEncrypted == null || current.tokenLifetimeSeconds < tokenLifetimeSeconds)
    return undefined;
  const { keyId, privateKeyEncrypted, currentSince } = current;
  const privateKey = decryptPrivateKey(cipher, keyId, privateKeyEncrypted);
  return {
    current: { keyId, privateKey },
    currentSince: currentSince ?? new Date(0),
    published: keys.map(({ publicJwk }) => publicJwk),
  };
}
