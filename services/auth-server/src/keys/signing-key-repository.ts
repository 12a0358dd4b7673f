import type { EntityManager } from '@mikro-orm/postgresql';
import type { JWK } from 'jose';
import { query } from '../database/query.ts';
import type { EncryptedSigningKey } from './signing-key.ts';

type SigningKeyRow = {
  keyId: string;
  state: 'next' | 'current' | 'retired';
  publicJwk: JWK;
  /** null for a retired key, which cannot sign. */
  privateKeyEncrypted: Buffer | null;
  /** The longest lifetime of tokens that any replica signs with the key. */
  tokenLifetimeSeconds: number;
  publishedForSeconds: number;
  /** null until the key becomes current. */
  currentSince: Date | null;
};

/** Advisory lock that serialises changes of the keys; an arbitrary constant. */
const keyLock = 7_267_312;

/** Runs `change` in a transaction, serialised with other changes of the keys. */
export function changeKeys<Result>(
  em: EntityManager,
  change: (em: EntityManager) => Promise<Result>,
): Promise<Result> {
  return em.fork().transactional(async (transaction) => {
    await query(transaction)`select pg_advisory_xact_lock(${keyLock})`;
    return change(transaction);
  });
}

/** Every published key: the current one, the next one, then the retired ones. */
export function readPublishedKeys(em: EntityManager): Promise<SigningKeyRow[]> {
  return query(em)<SigningKeyRow>`
    select key_id as "keyId", state, public_jwk as "publicJwk",
       private_key_encrypted as "privateKeyEncrypted", token_lifetime_seconds as "tokenLifetimeSeconds",
       extract(epoch from now() - created_at)::float8 as "publishedForSeconds",
       current_since as "currentSince"
     from auth.signing_key where key_id in (select key_id from auth.signing_key_public)
     order by state, retired_at desc, key_id`;
}

export async function insertKey(
  em: EntityManager,
  key: EncryptedSigningKey,
  state: 'next' | 'current',
  tokenLifetimeSeconds: number,
): Promise<void> {
  await query(em)`insert into auth.signing_key
      (key_id, state, public_jwk, private_key_encrypted, token_lifetime_seconds, created_at, current_since)
    values (${key.keyId}, ${state}, ${JSON.stringify(key.publicJwk)}::jsonb, ${key.privateKeyEncrypted},
      ${tokenLifetimeSeconds}, now(), case when ${state} = 'current' then now() end)`;
}

/** Announces the lifetime of tokens signed from now on; never lowers it. */
export async function raiseTokenLifetime(em: EntityManager, tokenLifetimeSeconds: number): Promise<void> {
  await query(em)`update auth.signing_key
    set token_lifetime_seconds = greatest(token_lifetime_seconds, ${tokenLifetimeSeconds})
    where state <> 'retired'`;
}

/**
 * Deletes the private part; the public part stays published while tokens may be valid. A key that has never
 * signed counts as current until now.
 */
export async function retireKey(em: EntityManager, keyId: string): Promise<void> {
  await query(em)`update auth.signing_key
    set state = 'retired', current_since = coalesce(current_since, now()), retired_at = now(),
      private_key_encrypted = null
    where key_id = ${keyId}`;
}

export async function promoteKey(em: EntityManager, keyId: string): Promise<void> {
  await query(
    em,
  )`update auth.signing_key set state = 'current', current_since = now() where key_id = ${keyId}`;
}
