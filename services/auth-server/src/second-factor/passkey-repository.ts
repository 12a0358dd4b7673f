import type { EntityManager } from '@mikro-orm/postgresql';
import { query } from '../database/query.ts';

export type Passkey = {
  id: string;
  accountId: string;
  /** Base64url, as WebAuthn's JSON has it. */
  credentialId: string;
  /** How the browser reaches the authenticator, as the browser said. */
  transports: string[];
  name: string;
  createdAt: Date;
};

/** `lastUsedAt` is null for an unused passkey. */
export type UsedPasskey = Passkey & { lastUsedAt: Date | null };

export type PasskeyRow = Pick<Passkey, 'id' | 'accountId' | 'credentialId'> & {
  publicKey: Buffer;
  signCount: number;
  /** Of the account. */
  credentialVersion: number;
};

/** The account's, oldest first. */
export function listPasskeys(em: EntityManager, accountId: string): Promise<UsedPasskey[]> {
  return query(em)<UsedPasskey>`
    select id, account_id as "accountId", credential_id as "credentialId", to_json(transports) as transports,
      name, created_at as "createdAt", last_used_at as "lastUsedAt"
    from auth.passkey where account_id = ${accountId} order by created_at, id`;
}

export async function findPasskey(em: EntityManager, credentialId: string): Promise<PasskeyRow | undefined> {
  const [passkey] = await query(em)<PasskeyRow>`
    select passkey.id, account_id as "accountId", credential_id as "credentialId", public_key as "publicKey",
      sign_count::float8 as "signCount", credential_version as "credentialVersion"
    from auth.passkey join auth.account on account.id = account_id where credential_id = ${credentialId}`;
  return passkey;
}

/** Returns false if some account has this passkey already. */
export async function insertPasskey(
  em: EntityManager,
  passkey: Passkey & { publicKey: Buffer; signCount: number },
): Promise<boolean> {
  const { id, accountId, credentialId, publicKey, signCount, transports, name, createdAt } = passkey;
  const inserted = await query(em)`insert into auth.passkey
      (id, account_id, credential_id, public_key, sign_count, transports, name, created_at)
    values (${id}, ${accountId}, ${credentialId}, ${publicKey}, ${signCount},
      array(select json_array_elements_text(${JSON.stringify(transports)}::json)), ${name}, ${createdAt})
    on conflict do nothing returning 1`;
  return inserted.length > 0;
}

/** Deletes the passkey and returns its name. */
export async function deletePasskeyOf(
  em: EntityManager,
  accountId: string,
  id: string,
): Promise<string | undefined> {
  const [deleted] = await query(em)<{ name: string }>`delete from auth.passkey
    where account_id = ${accountId} and id = ${id} returning name`;
  return deleted?.name;
}

export async function notePasskeyUse(
  em: EntityManager,
  id: string,
  signCount: number,
  now: Date,
): Promise<void> {
  await query(em)`update auth.passkey set sign_count = ${signCount}, last_used_at = ${now}
    where id = ${id}`;
}
