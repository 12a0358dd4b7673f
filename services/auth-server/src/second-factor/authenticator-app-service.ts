import { sql } from 'kysely';
import { lockAccount } from '../accounts/account-service.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
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
  const { rows } = await sql<{ createdAt: string }>`select created_at as "createdAt"
    from auth.authenticator_app where account_id = ${accountId}`.execute(em.getKysely());
  return rows[0] && { createdAt: new Date(rows[0].createdAt) };
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
    await lockAccount(em, accountId);
    if ((await findSecret({ em }, cipher, accountId))?.equals(secret)) return 'known';
    await sql`insert into auth.authenticator_app (account_id, secret_encrypted, last_step, created_at)
      values (${accountId}, ${encrypted}, ${step}, ${now})
      on conflict (account_id) do update
      set secret_encrypted = excluded.secret_encrypted, last_step = excluded.last_step,
        created_at = excluded.created_at`.execute(em.getKysely());
    recordAuditEvent({ ...session, em }, accountId, 'second_factor_added', {
      id: accountId,
      name: authenticatorAppName,
    });
    return 'set';
  });
}

/** Within the caller's transaction; whether the account had one. */
export async function deleteAuthenticatorApp(session: Session, accountId: string): Promise<boolean> {
  const { numAffectedRows = 0n } =
    await sql`delete from auth.authenticator_app where account_id = ${accountId}`.execute(
      session.em.getKysely(),
    );
  if (numAffectedRows === 0n) return false;
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
  const { numAffectedRows = 0n } = await sql`update auth.authenticator_app set last_step = ${step}
    where account_id = ${accountId} and last_step < ${step}`.execute(em.getKysely());
  return numAffectedRows > 0n;
}

/** Undefined after KEY_ENCRYPTION_SECRET was replaced: then no code is right, and a recovery code lets its owner in. */
async function findSecret(
  { em }: Pick<Session, 'em'>,
  cipher: KeyCipher,
  accountId: string,
): Promise<Buffer | undefined> {
  const { rows } = await sql<{ secretEncrypted: Buffer }>`select secret_encrypted as "secretEncrypted"
    from auth.authenticator_app where account_id = ${accountId}`.execute(em.getKysely());
  try {
    return rows[0] && cipher.decrypt(accountId, rows[0].secretEncrypted);
  } catch (error) {
    if (error instanceof KeySecretError) return undefined;
    throw error;
  }
}
