import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { hashSecret, newSecret } from '#shared/tokens/secret.ts';

/** `email`: the address that opening the link confirms, or gives back; else the account's. */
export type MailLinkOf = {
  sign_up: { email: string };
  address_change: { email: string; accountId: string; credentialVersion: number };
  address_reversal: { email: string; accountId: string; formerAddressId: string };
  factor_removal: { email: string; accountId: string; expiresAt: string };
};

type Kind = keyof MailLinkOf;
type MailLink = {
  kind: Kind;
  email: string;
  accountId?: string;
  credentialVersion?: number;
  formerAddressId?: string;
};

/** Stores what the link does; returns its secret, which is stored nowhere. */
export async function addMailLink(em: EntityManager, link: MailLink, expiresAt: Date): Promise<string> {
  const { kind, email, accountId = null, credentialVersion = null, formerAddressId = null } = link;
  const secret = newSecret();
  await sql`insert into auth.mail_link
    (token_hash, kind, email, account_id, credential_version, former_address_id, expires_at)
    values (${hashSecret(secret)}, ${kind}, ${email}, ${accountId}, ${credentialVersion},
      ${formerAddressId}, ${expiresAt})`.execute(em.getKysely());
  return secret;
}

/** Undefined for a link of another kind, one that was used, and one that has expired. */
export async function findMailLink<Wanted extends Kind>(
  em: EntityManager,
  kind: Wanted,
  secret: string,
  now: Date,
): Promise<MailLinkOf[Wanted] | undefined> {
  const { rows } = await sql<MailLinkOf[Wanted]>`select email, account_id as "accountId",
      credential_version as "credentialVersion", former_address_id as "formerAddressId", expires_at as "expiresAt"
    from auth.mail_link
    where token_hash = ${hashSecret(secret)} and kind = ${kind} and expires_at > ${now}`.execute(
    em.getKysely(),
  );
  return rows[0];
}

/** Ends the links by which the account gets another password. */
export async function endPasswordResets(em: EntityManager, accountId: string): Promise<void> {
  await sql`delete from auth.password_reset where account_id = ${accountId}`.execute(em.getKysely());
}

/** Whether the link was there to be used: of several uses at once, one gets true. */
export async function useMailLink(em: EntityManager, secret: string): Promise<boolean> {
  const { rows } = await sql`delete from auth.mail_link where token_hash = ${hashSecret(secret)}
    returning 1`.execute(em.getKysely());
  return rows.length > 0;
}
