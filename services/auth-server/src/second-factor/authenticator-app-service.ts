import { lockAccount } from '../accounts/account-service.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { query } from '../database/query.ts';
import { type KeyCipher, KeySecretError } from '../keys/signing-key.ts';
import type { Session } from '../session.ts';
import { findStep } from './authenticator-code.ts';

/** What the trail calls it. */
export const authenticatorAppName = 'Authenticator app';

/** Since when the account has an authenticator app. */
export async function findAuthenticatorApp(
  { em }: Pick<Session, 'em'>,
  accountId: string,
): Promise<{ createdAt: Date } | undefined> {
  const [app] = await query(em)<{ createdAt: Date }>`select created_at as "createdAt"
    from auth.authenticator_app where account_id = ${accountId}`;
  return app;
}

/** Whether `code` shows that the app holds the secret; then it replaces any other, unless the account has this one. */
export async function setAuthenticatorApp(
  session: Session,
  cipher: KeyCipher,
  { accountId, secret, code }: { accountId: string; secret: Buffer; code: string },
): Promise<'wrong-code' | 'known' | 'set'> {
  const now = session.clock.now();
  const step = findStep(secret, code, now);
  if (step === undefined) return 'wrong-code';
  const encrypted = cipher.encrypt(accountId, secret);
  return session.em.transactional(async (em) => {
    const within = { ...session, em };
    await lockAccount(em, accountId);
    if ((await findSecret({ em }, cipher, accountId))?.equals(secret)) return 'known';
    await deleteAuthenticatorApp(within, accountId);
    await query(em)`insert into auth.authenticator_app (account_id, secret_encrypted, last_step, created_at)
      values (${accountId}, ${encrypted}, ${step}, ${now})`;
    recordAuditEvent(within, accountId, 'second_factor_added', {
      id: accountId,
      name: authenticatorAppName,
    });
    return 'set';
  });
}

/** Within the caller's transaction; whether the account had one. */
export async function deleteAuthenticatorApp(session: Session, accountId: string): Promise<boolean> {
  const deleted = await query(session.em)`delete from auth.authenticator_app
    where account_id = ${accountId} returning 1`;
  if (deleted.length === 0) return false;
  recordAuditEvent(session, accountId, 'second_factor_removed', {
    id: accountId,
    name: authenticatorAppName,
  });
  return true;
}

/** Whether the code is one of the account's app; it counts once, and none of an earlier step counts after it. */
export async function useAuthenticatorCode(
  { em, clock }: Session,
  cipher: KeyCipher,
  accountId: string,
  code: string,
): Promise<boolean> {
  const secret = await findSecret({ em }, cipher, accountId);
  const step = secret && findStep(secret, code, clock.now());
  if (step === undefined) return false;
  const counted = await query(em)`update auth.authenticator_app set last_step = ${step}
    where account_id = ${accountId} and last_step < ${step} returning 1`;
  return counted.length > 0;
}

/** Undefined after KEY_ENCRYPTION_SECRET was replaced: then no code is right, and a recovery code lets its owner in. */
async function findSecret(
  { em }: Pick<Session, 'em'>,
  cipher: KeyCipher,
  accountId: string,
): Promise<Buffer | undefined> {
  const [found] = await query(em)<{ secretEncrypted: Buffer }>`select secret_encrypted as "secretEncrypted"
    from auth.authenticator_app where account_id = ${accountId}`;
  try {
    return found && cipher.decrypt(accountId, found.secretEncrypted);
  } catch (error) {
    if (error instanceof KeySecretError) return undefined;
    throw error;
  }
}
