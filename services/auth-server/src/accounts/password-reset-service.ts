import { invalidField } from '#shared/errors/errors.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { hashSecret, newSecret } from '#shared/tokens/secret.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import { query } from '../database/query.ts';
import { runRevocation, type Session } from '../session.ts';
import type { Account } from './account-entity.ts';
import { passwordResetInput } from './account-schema.ts';
import { isPasswordOf, lockAccount, replacePassword } from './account-service.ts';
import { hashPassword } from './password-hash.ts';
import { requireStrongPassword } from './password-strength.ts';

export const resetLifetimeMinutes = 30;

/** Returns the secret of a single-use link to choose a new password. */
export async function startPasswordReset(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  accountId: string,
): Promise<string> {
  const secret = newSecret();
  const expiresAt = addSeconds(clock.now(), resetLifetimeMinutes * 60);
  await query(em)`insert into auth.password_reset (token_hash, account_id, expires_at)
    values (${hashSecret(secret)}, ${accountId}, ${expiresAt})`;
  return secret;
}

/** Returns the account of a link without using it; undefined if it is invalid. */
export async function findLinkedAccount({ em, clock }: Session, secret: string) {
  const [account] = await query(em)<{ id: string; email: string }>`select account.id, email
    from auth.password_reset join auth.account on account.id = account_id
    where token_hash = ${hashSecret(secret)} and expires_at > ${clock.now()}`;
  return account;
}

/**
 * `input`: `{password, revokeApiTokens}`. Ends sessions, apps and the account's other links. Returns the
 * account; undefined for a link that was used, has expired or never existed. Throws validation_error, which
 * leaves the link valid.
 */
export async function resetPassword(
  session: Session,
  secret: string,
  input: unknown,
): Promise<Pick<Account, 'id' | 'email'> | undefined> {
  const { password, revokeApiTokens } = validateInput(passwordResetInput, input, 'form');
  const owner = await findLinkedAccount(session, secret);
  if (owner === undefined) return undefined;
  await requireStrongPassword('password', password, owner.email);
  // Not an oracle for guesses: any other password uses the link.
  if (await isPasswordOf(session, owner.id, password))
    throw invalidField('password', 'password must be another one than before');
  const passwordHash = await hashPassword(password);
  return runRevocation(session, async (within, affects) => {
    const { em } = within;
    const account = await lockAccount(em, owner.id);
    // Two requests with one link: the first ends every link of the account, the second waits and finds none.
    if (account === null || (await findLinkedAccount(within, secret)) === undefined) return undefined;
    affects(account.id);
    await replacePassword(within, account, { passwordHash, revokeApiTokens });
    return account;
  });
}
