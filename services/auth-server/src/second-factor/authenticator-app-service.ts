import { recordAuditEvent } from '../audit/audit-trail.ts';
import { type BrowserOwner, lockBrowserSession } from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';
import { type KeyCipher, KeySecretError } from '../keys/signing-key.ts';
import type { Session } from '../session.ts';
import { findStep } from './authenticator-code.ts';

/** Its name in the audit trail. */
export const authenticatorAppName = 'Authenticator app';

/** When the account's authenticator app was added. */
export async function findAuthenticatorApp(
  { em }: Pick<Session, 'em'>,
  accountId: string,
): Promise<{ createdAt: Date } | undefined> {
  const [app] = await query(em)<{ createdAt: Date }>`select created_at as "createdAt"
    from auth.authenticator_app where account_id = ${accountId}`;
  return app;
}

/**
 * Stores the app if `code` proves that it has the secret, replacing another app. `known`: the account has
 * this app already. Throws token_missing.
 */
export async function setAuthenticatorApp(
  session: Session,
  cipher: KeyCipher,
  { owner, secret, code }: { owner: BrowserOwner; secret: Buffer; code: string },
): Promise<'wrong-code' | 'known' | 'set'> {
  const { accountId } = owner;
  const now = session.clock.now();
  const step = findStep(secret, code, now);
  if (step === undefined) return 'wrong-code';
  const encrypted = cipher.encrypt(accountId, secret);
  return session.em.transactional(async (em) => {
    const within = { ...session, em };
    await lockBrowserSession(em, owner);
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

/** Deletes the app within the caller's transaction; returns whether there was one. */
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

/**
 * Verifies a code of the account's app. A code is valid once, and codes of earlier steps are invalid after
 * it.
 */
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

/**
 * undefined after KEY_ENCRYPTION_SECRET was replaced: then no code is valid, and its owner needs a recovery
 * code.
 */
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
