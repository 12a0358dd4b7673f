import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Queryable } from '#shared/database/database.ts';
import type { Logger } from '#shared/logging/logger.ts';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';
import type { KeyObserver } from '#shared/tokens/key-observer.ts';

/** Finds the public key that an access token names; undefined when no such key is published. */
export type VerificationKeys = { find(keyId: string): Promise<CryptoKey | undefined> };

const refreshAfterMilliseconds = 60_000;
const retryAfterMilliseconds = 1_000;

/**
 * Keys come from the database's published view, not over HTTP: they are there when auth-server is not, at a cold
 * start too. A known key is answered from memory and kept when a reload fails; a flood of unknown key ids causes
 * at most one reload a second.
 */
export function createVerificationKeys(
  db: Queryable,
  logger: Logger,
  observer?: KeyObserver,
): VerificationKeys {
  let keys = new Map<string, CryptoKey>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  const reload = (): Promise<void> => {
    loading ??= loadKeys(db)
      .then(
        (loaded) => {
          keys = loaded;
          observer?.keysLoaded();
        },
        (error: unknown) => {
          observer?.loadFailed();
          throw error;
        },
      )
      .finally(() => {
        loadedAt = performance.now();
        loading = undefined;
      });
    return loading;
  };

  return {
    async find(keyId) {
      const age = performance.now() - loadedAt;
      const known = keys.get(keyId);
      if (known !== undefined) {
        if (age > refreshAfterMilliseconds) {
          reload().catch((error: unknown) =>
            logger.warn({ err: error }, 'verification keys could not be refreshed'),
          );
        }
        return known;
      }
      if (loading !== undefined || age > retryAfterMilliseconds) await reload();
      return keys.get(keyId);
    },
  };
}

async function loadKeys(db: Queryable): Promise<Map<string, CryptoKey>> {
  const { rows } = await db.query<{ keyId: string; jwk: JWK }>({
    text: 'select key_id as "keyId", public_jwk as jwk from auth.signing_key_public',
  });
  const keys = new Map<string, CryptoKey>();
  for (const { keyId, jwk } of rows) {
    const key = await importJWK(jwk, accessTokenAlgorithm);
    if (!(key instanceof Uint8Array)) keys.set(keyId, key);
  }
  return keys;
}
