import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSecret, newSecret } from '#shared/tokens/secret.ts';
import { query } from '../database/query.ts';

type OfAccount = { email: string; accountId: string; isLocked: boolean };

/** `email`: the address that the link confirms or restores; otherwise the account's. */
export type MailLinkOf = {
  sign_up: { email: string };
  address_change: OfAccount & { credentialVersion: number; accountEmail: string };
  address_reversal: OfAccount & { formerAddressId: string };
  factor_removal: OfAccount & { expiresAt: Date };
};

type Kind = keyof MailLinkOf;
type MailLink = {
  kind: Kind;
  email: string;
  accountId?: string;
  credentialVersion?: number;
  formerAddressId?: string;
};

/** Stores a link by the hash of its secret; returns the secret. */
export async function addMailLink(em: EntityManager, link: MailLink, expiresAt: Date): Promise<string> {
  const { kind, email, accountId = null, credentialVersion = null, formerAddressId = null } = link;
  const secret = newSecret();
  await query(em)`insert into auth.mail_link
    (token_hash, kind, email, account_id, credential_version, former_address_id, expires_at)
    values (${hashSecret(secret)}, ${kind}, ${email}, ${accountId}, ${credentialVersion},
      ${formerAddressId}, ${expiresAt})`;
  return secret;
}

/** undefined for a link that has another kind, was used, has expired, or was ended by another password. */
export async function findMailLink<Wanted extends Kind>(
  em: EntityManager,
  kind: Wanted,
  secret: string,
  now: Date,
): Promise<MailLinkOf[Wanted] | undefined> {
  const [link] = await query(em)<MailLinkOf[Wanted]>`select link.email, account_id as "accountId",
      link.credential_version as "credentialVersion", former_address_id as "formerAddressId",
      expires_at as "expiresAt", account.email as "accountEmail", locked_at is not null as "isLocked"
    from auth.mail_link link left join auth.account on account.id = account_id
    where token_hash = ${hashSecret(secret)} and kind = ${kind} and expires_at > ${now}
      and (link.credential_version is null or link.credential_version = account.credential_version)`;
  return link;
}

/** The pending new address of the account: the last requested, unless cancelled. */
export async function findPendingAddress(
  em: EntityManager,
  accountId: string,
  now: Date,
): Promise<{ email: string; expiresAt: Date } | undefined> {
  const [pending] = await query(em)<{ email: string; expiresAt: Date }>`
    select link.email, expires_at as "expiresAt"
    from auth.mail_link link join auth.account on account.id = account_id
    where account_id = ${accountId} and kind = 'address_change' and expires_at > ${now}
      and link.credential_version = account.credential_version
    order by expires_at desc limit 1`;
  return pending;
}

/** Deletes all, or those to other addresses than `keptEmail`. */
export async function endAddressChanges(em: EntityManager, accountId: string, keptEmail = ''): Promise<void> {
  await query(em)`delete from auth.mail_link
    where account_id = ${accountId} and kind = 'address_change' and email <> ${keptEmail}`;
}

export async function endPasswordResets(em: EntityManager, accountId: string): Promise<void> {
  await query(em)`delete from auth.password_reset where account_id = ${accountId}`;
}

/** Returns whether this call used the link: of concurrent calls exactly one. */
export async function useMailLink(em: EntityManager, secret: string): Promise<boolean> {
  const rows = await query(em)`delete from auth.mail_link where token_hash = ${hashSecret(secret)}
    returning 1`;
  return rows.length > 0;
}
