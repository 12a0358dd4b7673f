import { type CryptoKey, importJWK, type JWK } from 'jose';
import type { Queryable } from '#shared/database/database.ts';
import type { Logger } from '#shared/logging/logger.ts';
import type { KeyObserver } from '#shared/metrics/key-metrics.ts';
import { accessTokenAlgorithm } from '#shared/tokens/access-token-claims.ts';

export type VerificationKeys = ReturnType<typeof createVerificationKeys>;

const refreshAfterMilliseconds = 60_000;
const retryAfterMilliseconds = 1_000;

/**
 * Keys are read from the database's published view, not over HTTP, so that auth-server need not run. Known
 * keys are kept when a reload fails; unknown key ids cause at most one reload a second.
 */
export function createVerificationKeys(db: Queryable, logger: Logger, observer?: KeyObserver) {
  let keys = new Map<string, CryptoKey>();
  let loadedAt = Number.NEGATIVE_INFINITY;
  let loading: Promise<void> | undefined;

  async function load(): Promise<void> {
    try {
      keys = await loadKeys(db);
      observer?.keysLoaded();
    } catch (error) {
      observer?.loadFailed();
      throw error;
    } finally {
      loadedAt = performance.now();
      loading = undefined;
    }
  }

  return {
    /** The public key that an access token names; undefined when no such key is published. */
    async find(keyId: string): Promise<CryptoKey | undefined> {
      const age = performance.now() - loadedAt;
      const known = keys.get(keyId);
      if (known === undefined && (loading !== undefined || age > retryAfterMilliseconds)) {
        loading ??= load();
        await loading;
        return keys.get(keyId);
      }
      if (known !== undefined && loading === undefined && age > refreshAfterMilliseconds) {
        loading = load();
        loading.catch((error: unknown) =>
          logger.warn({ err: error }, 'verification keys could not be refreshed'),
        );
      }
      return known;
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
