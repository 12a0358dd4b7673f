import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { hashSecret, newSecret } from '#shared/tokens/secret.ts';
import type { Account } from '../accounts/account-entity.ts';
import { lockAccountRow } from '../accounts/lock-account-row.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';
import { BrowserSessionEntity } from './browser-session-entity.ts';

export type SignedInAccount = Pick<Account, 'id' | 'email' | 'timezone' | 'plan' | 'status'>;

/** `confirmedAt`: time of the sign-in or the last reauthentication. */
type FoundSession = SignedInAccount & {
  sessionId: string;
  confirmedAt: Date;
  hasSecondFactor: boolean;
};

type Visit = {
  secretHash: Buffer;
  now: Date;
  expiresAt: Date;
  /** Maximum lifetime from the sign-in on. */
  maximumSeconds: number;
  address: string;
  userAgent: string;
};

const secondsBetweenUpdates = 60;

/** The account of an unexpired session. Stores the visit and extends the session, at most once a minute. */
export async function findSignedInAccount(
  em: EntityManager,
  { secretHash, now, expiresAt, maximumSeconds, address, userAgent }: Visit,
): Promise<FoundSession | undefined> {
  const lastUpdate = addSeconds(now, -secondsBetweenUpdates);
  const [session] = await query(em)<FoundSession>`
    with prolonged as (
      update auth.browser_session
      set last_seen_at = ${now}, address = ${address}, user_agent = ${userAgent},
        expires_at = least(${expiresAt}, created_at + make_interval(secs => ${maximumSeconds}))
      where secret_hash = ${secretHash} and expires_at > ${now} and last_seen_at <= ${lastUpdate})
    select session.id as "sessionId", coalesce(confirmed_at, session.created_at) as "confirmedAt",
      account.id, email, timezone, plan, status,
      exists (select from auth.passkey where account_id = account.id)
      or exists (select from auth.authenticator_app where account_id = account.id) as "hasSecondFactor"
    from auth.browser_session session join auth.account account on account.id = session.account_id
    where secret_hash = ${secretHash} and expires_at > ${now}`;
  return session;
}

/** A session, the hash of the secret in a request's cookie, and the session's account. */
export type BrowserOwner = { accountId: string; sessionId: string; secretHash: Buffer };

/**
 * Locks the account, then the session until the end of the transaction, so that nothing is added after the
 * session or its secret has ended. Throws token_missing.
 */
export async function lockBrowserSession(
  em: EntityManager,
  { accountId, sessionId, secretHash }: BrowserOwner,
): Promise<void> {
  await lockAccountRow(em, accountId);
  const found = await query(em)`select id from auth.browser_session
    where id = ${sessionId} and account_id = ${accountId} and secret_hash = ${secretHash} for update`;
  if (found.length === 0) throw notSignedIn();
}

/** Records a reauthentication. Returns the session's new secret, which ends the earlier (ASVS 5.0, 7.2.4). */
export async function confirmBrowserSession(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  id: string,
): Promise<string> {
  const secret = newSecret();
  await em.nativeUpdate(
    BrowserSessionEntity,
    { id },
    { confirmedAt: clock.now(), secretHash: hashSecret(secret) },
  );
  return secret;
}

export function notSignedIn(): AppError {
  return new AppError('token_missing', { message: 'This browser is not signed in.' });
}

/** Ends every session of the account except `exceptId`; returns their number. */
export function deleteBrowserSessions(
  em: EntityManager,
  accountId: string,
  exceptId?: string,
): Promise<number> {
  const others = exceptId === undefined ? {} : { id: { $ne: exceptId } };
  return em.nativeDelete(BrowserSessionEntity, { accountId, ...others });
}
