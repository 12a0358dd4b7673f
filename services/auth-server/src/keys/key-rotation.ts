import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../database/query.ts';
import { decryptPrivateKey, type KeyCipher, makeSigningKey } from './signing-key.ts';
import {
  changeKeys,
  insertKey,
  promoteKey,
  raiseTokenLifetime,
  readPublishedKeys,
  retireKey,
} from './signing-key-repository.ts';

export type KeyRotation = { currentKeyId: string; nextKeyId: string; retiredKeyId: string };
export type KeyReplacement = { currentKeyId: string; nextKeyId: string; retiredKeyIds: string[] };

/** How long `/oauth/jwks` may be cached. */
export const jwksCacheSeconds = 300;

/** Replicas, too, are some seconds behind. */
const secondsUntilKnown = jwksCacheSeconds + 10;

/** Creates the first keys if there are none, and announces the lifetime of this replica's tokens. */
export function establishKeys(
  em: EntityManager,
  cipher: KeyCipher,
  tokenLifetimeSeconds: number,
): Promise<void> {
  return changeKeys(em, async (transaction) => {
    const states = (await readPublishedKeys(transaction)).map(({ state }) => state);
    for (const state of ['current', 'next'] as const) {
      if (!states.includes(state)) {
        await insertKey(transaction, await makeSigningKey(cipher), state, tokenLifetimeSeconds);
      }
    }
    await raiseTokenLifetime(transaction, tokenLifetimeSeconds);
  });
}

/**
 * The next key becomes current, a new next key is published, the current one is retired. Throws
 * KeySecretError if the services could not decrypt the key; an Error if there are no keys, or if caches may
 * still lack the next one and `isNow` is false.
 */
export function rotateKeys(em: EntityManager, cipher: KeyCipher, isNow: boolean): Promise<KeyRotation> {
  return changeKeys(em, async (transaction) => {
    const keys = await readPublishedKeys(transaction);
    const current = keys.find(({ state }) => state === 'current');
    const next = keys.find(({ state }) => state === 'next');
    if (current === undefined || next === undefined) {
      throw new Error('there are no signing keys yet: auth-server makes the first ones when it starts');
    }
    if (next.privateKeyEncrypted !== null) decryptPrivateKey(cipher, next.keyId, next.privateKeyEncrypted);
    const seconds = Math.ceil(secondsUntilKnown - next.publishedForSeconds);
    if (seconds > 0 && !isNow) {
      throw new Error(
        `caches of /oauth/jwks may lack the next key for another ${seconds} s: wait, or give --now`,
      );
    }
    const made = await makeSigningKey(cipher);
    await retireKey(transaction, current.keyId);
    await promoteKey(transaction, next.keyId);
    await insertKey(transaction, made, 'next', next.tokenLifetimeSeconds);
    return { currentKeyId: next.keyId, nextKeyId: made.keyId, retiredKeyId: current.keyId };
  });
}

/**
 * Replaces the keys in use, whose encryption secret may be lost. Existing signatures stay valid. Replicas
 * with another secret continue with the keys in memory.
 */
export function replaceKeys(em: EntityManager, cipher: KeyCipher): Promise<KeyReplacement> {
  return changeKeys(em, async (transaction) => {
    const inUse = (await readPublishedKeys(transaction)).filter(({ state }) => state !== 'retired');
    // auth-server raises it if its tokens live longer.
    const tokenLifetimeSeconds = Math.max(0, ...inUse.map((key) => key.tokenLifetimeSeconds));
    const [current, next] = [await makeSigningKey(cipher), await makeSigningKey(cipher)];
    for (const { keyId } of inUse) await retireKey(transaction, keyId);
    // Encrypted with the same secret; browsers must subscribe again with another one.
    await query(transaction)`delete from auth.vapid_key`;
    await query(transaction)`delete from auth.push_subscription`;
    await insertKey(transaction, current, 'current', tokenLifetimeSeconds);
    await insertKey(transaction, next, 'next', tokenLifetimeSeconds);
    const retiredKeyIds = inUse.map(({ keyId }) => keyId);
    return { currentKeyId: current.keyId, nextKeyId: next.keyId, retiredKeyIds };
  });
}
