import { hash, randomBytes } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { sql } from 'kysely';
import { validateInput } from '#shared/validation/validate-input.ts';
import { runRevocation, type Session } from '../session.ts';
import { passwordResetInput } from './account-schema.ts';
import { lockAccount, replacePassword } from './account-service.ts';
import { hashPassword } from './password-hash.ts';

export const resetLifetimeMinutes = 30;

/** The secret of a link with which the account's owner chooses a new password, once. */
export async function startPasswordReset(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  accountId: string,
): Promise<string> {
  const secret = randomBytes(32).toString('base64url');
  const expiresAt = new Date(clock.now().getTime() + resetLifetimeMinutes * 60_000);
  await sql`insert into auth.password_reset (token_hash, account_id, expires_at)
    values (${hashOf(secret)}, ${accountId}, ${expiresAt})`.execute(em.getKysely());
  return secret;
}

/** Whether the link can be used now; looking at it does not use it. */
export async function isResetLinkValid(session: Session, secret: string): Promise<boolean> {
  return (await findAccountId(session.em, secret, session.clock.now())) !== undefined;
}

/**
 * `input`: `{password, revokeApiTokens}`. Ends what the old password gave, and every other link. Returns false for a
 * link that was used, has expired or never was one. Throws validation_error, and then the link stays valid.
 */
export async function resetPassword(session: Session, secret: string, input: unknown): Promise<boolean> {
  const { password, revokeApiTokens } = validateInput(passwordResetInput, input, 'form');
  if (!(await isResetLinkValid(session, secret))) return false;
  const passwordHash = await hashPassword(password);
  return runRevocation(session, async (within, concerns) => {
    const { em } = within;
    const accountId = await findAccountId(em, secret, session.clock.now());
    const account = accountId === undefined ? null : await lockAccount(em, accountId);
    if (account === null) return false;
    // Two requests with one link: the first locks the account and deletes the row, the second finds none.
    const { rows } =
      await sql`delete from auth.password_reset where token_hash = ${hashOf(secret)} returning 1`.execute(
        em.getKysely(),
      );
    if (rows.length === 0) return false;
    await sql`delete from auth.password_reset where account_id = ${account.id}`.execute(em.getKysely());
    concerns(account.id);
    await replacePassword(within, account, { passwordHash, revokeApiTokens });
    return true;
  });
}

async function findAccountId(em: EntityManager, secret: string, now: Date): Promise<string | undefined> {
  const { rows } = await sql<{ accountId: string }>`select account_id as "accountId" from auth.password_reset
    where token_hash = ${hashOf(secret)} and expires_at > ${now}`.execute(em.getKysely());
  return rows[0]?.accountId;
}

/** The secrets' own 256 bits make a slow or salted hash needless. */
function hashOf(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
