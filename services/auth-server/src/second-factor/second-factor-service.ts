import { notFound } from '#shared/errors/errors.ts';
import { lockAccount } from '../accounts/account-service.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { type BrowserOwner, lockBrowserSession } from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';
import { runRevocation, type Session } from '../session.ts';
import { deleteAuthenticatorApp, findAuthenticatorApp } from './authenticator-app-service.ts';
import { listPasskeys } from './passkey-repository.ts';
import { deletePasskey } from './passkey-service.ts';
import {
  deleteRecoveryCodes,
  findRecoveryCodes,
  makeRecoveryCodes,
  storeRecoveryCodes,
} from './recovery-code-service.ts';

/** Whether signing in requires more than the password. */
export async function hasSecondFactor({ em }: Pick<Session, 'em'>, accountId: string): Promise<boolean> {
  const [found] = await query(em)<{ hasOne: boolean }>`select
      exists (select from auth.passkey where account_id = ${accountId})
      or exists (select from auth.authenticator_app where account_id = ${accountId}) as "hasOne"`;
  return found?.hasOne ?? false;
}

/**
 * Replaces the recovery codes that have this mark by ten new ones, to be shown once. undefined if they were
 * replaced already. Throws not_found without a second factor, and token_missing.
 */
export function replaceRecoveryCodes(
  session: Session,
  owner: BrowserOwner,
  mark: string,
): Promise<string[] | undefined> {
  return makeCodesFor(session, owner, mark, (within) =>
    recordAuditEvent(within, owner.accountId, 'recovery_codes_created'),
  );
}

async function makeCodesFor(
  session: Session,
  owner: BrowserOwner,
  replacedMark: string,
  record: (within: Session) => void,
): Promise<string[] | undefined> {
  const { accountId } = owner;
  if (!(await hasSecondFactor(session, accountId))) throw notFound();
  const made = await makeRecoveryCodes();
  const isStored = await session.em.transactional(async (em) => {
    const within = { ...session, em };
    await lockBrowserSession(em, owner);
    if (!(await hasSecondFactor(within, accountId))) throw notFound();
    // Of two forms sent at once, only the first makes codes.
    if ((await findRecoveryCodes(within, accountId)).mark !== replacedMark) return false;
    await storeRecoveryCodes(within, accountId, made);
    record(within);
    return true;
  });
  return isStored ? made.map(({ code }) => code) : undefined;
}

/** Recovery codes to show after a factor was added, unless some exist. Throws not_found, token_missing. */
export async function firstRecoveryCodes(
  session: Session,
  owner: BrowserOwner,
): Promise<string[] | undefined> {
  const { left, mark } = await findRecoveryCodes(session, owner.accountId);
  return left > 0 ? undefined : makeCodesFor(session, owner, mark, () => undefined);
}

/**
 * Removes a passkey (`id`) or the authenticator app; with the last factor the recovery codes, too. Returns
 * whether one is left. Throws not_found.
 */
export async function removeSecondFactor(session: Session, accountId: string, id?: string): Promise<boolean> {
  return session.em.transactional(async (em) => {
    const within = { ...session, em };
    await lockAccount(em, accountId);
    const isGone =
      id === undefined
        ? await deleteAuthenticatorApp(within, accountId)
        : await deletePasskey(within, accountId, id);
    if (!isGone) throw notFound();
    const isOneLeft = await hasSecondFactor(within, accountId);
    if (!isOneLeft) await deleteRecoveryCodes(within, accountId);
    return isOneLeft;
  });
}

/**
 * Deletes second factors and recovery codes added at `since` or later, and all codes if no factor is left,
 * within the caller's transaction.
 */
export async function removeSecondFactorsSince(
  session: Session,
  accountId: string,
  since: Date,
): Promise<void> {
  for (const { id, createdAt } of await listPasskeys(session.em, accountId))
    if (createdAt >= since) await deletePasskey(session, accountId, id);
  const app = await findAuthenticatorApp(session, accountId);
  if (app !== undefined && app.createdAt >= since) await deleteAuthenticatorApp(session, accountId);
  const isLeft = await hasSecondFactor(session, accountId);
  await deleteRecoveryCodes(session, accountId, isLeft ? since : undefined);
}

/** Whether the account has a factor that was added before. */
export async function hasSecondFactorFromBefore(
  session: Pick<Session, 'em'>,
  accountId: string,
  time: Date,
): Promise<boolean> {
  const passkeys = await listPasskeys(session.em, accountId);
  const app = await findAuthenticatorApp(session, accountId);
  return [...passkeys, ...(app ? [app] : [])].some(({ createdAt }) => createdAt < time);
}

/** For an owner who lost all factors: removes them. Returns whether there were any. */
export async function resetSecondFactor(session: Session, accountId: string): Promise<boolean> {
  return runRevocation(session, async (within, affects) => {
    await lockAccount(within.em, accountId);
    affects(accountId);
    if (!(await hasSecondFactor(within, accountId))) return false;
    await query(within.em)`delete from auth.passkey where account_id = ${accountId}`;
    await query(within.em)`delete from auth.authenticator_app where account_id = ${accountId}`;
    await deleteRecoveryCodes(within, accountId);
    recordAuditEvent(within, accountId, 'second_factor_reset');
    return true;
  });
}
