import { createRevoker } from '#shared/admission/revoker.ts';
import { createEnvReader, type Environment } from '#shared/config/read-env.ts';
import { invalidField, notFound } from '#shared/errors/errors.ts';
import { createJobQueue } from '#shared/jobs/job-queue.ts';
import { createLogger } from '#shared/logging/logger.ts';
import { connectRedisNow } from '#shared/redis/connect-redis.ts';
import { systemClock } from '#shared/time/clock.ts';
import { accountProfile } from '../account-data/account-profile.ts';
import { EmailTakenError } from '../accounts/account-address.ts';
import { askForDeletion, findPendingDeletion } from '../accounts/account-deletion-service.ts';
import type { Account } from '../accounts/account-entity.ts';
import {
  findAccountByEmail,
  insertAccount,
  prepareAccount,
  setAccountLocked,
  updateAccount,
} from '../accounts/account-service.ts';
import { startPasswordReset } from '../accounts/password-reset-service.ts';
import { operatorOrigin, recordAuditEvent } from '../audit/audit-trail.ts';
import { readAccountDeletionDays } from '../config/config.ts';
import { openAuthDatabase } from '../database/auth-orm.ts';
import { createNoticeQueue } from '../mail/notice-queue.ts';
import { resetLink } from '../mail/reset-mail.ts';
import { resetSecondFactor } from '../second-factor/second-factor-service.ts';
import { openSession, type Session } from '../session.ts';
import { eraseAccount, markForErasure } from '../sweep/erase-accounts.ts';

type AccountAnswer = { eraseAfter?: Date } & {
  accountId: string;
  status: Account['status'] | 'locked';
} & Pick<Account, 'email' | 'plan' | 'timezone'>;

/** `input`: `{email, password, plan?, timezone?}`. Throws validation_error. */
export function addAccount(databaseUrl: string, input: unknown): Promise<AccountAnswer> {
  return runAsOperator({ databaseUrl }, async (session) =>
    present(await insertAccount(session, await prepareAccount(input))),
  );
}

/**
 * `{newEmail?, plan?, timezone?, status?, password?, revokeApiTokens?}`. Throws not_found, validation_error.
 */
export function changeAccount(stores: Stores, email: string, input: unknown): Promise<AccountAnswer> {
  return runOnAccount(stores, email, async (session, { id }) => {
    const updating = updateAccount(session, id, input);
    const account = await updating.catch((error: unknown) => {
      throw error instanceof EmailTakenError
        ? invalidField('newEmail', 'newEmail belongs to an account already')
        : error;
    });
    return present(account);
  });
}

/** Throws not_found. */
export function changeAccountLock(stores: Stores, email: string, isLocked: boolean): Promise<AccountAnswer> {
  return runOnAccount(stores, email, async (session, { id }) =>
    present(await setAccountLocked(session, id, isLocked)),
  );
}

/** Throws not_found. */
export function showAccount(databaseUrl: string, email: string): Promise<AccountAnswer> {
  return runOnAccount({ databaseUrl }, email, async (session, account) => {
    const pending = await findPendingDeletion(session.em, account.id);
    return { ...present(account), ...(pending && { eraseAfter: pending.eraseAfter }) };
  });
}

/** Returns the account's data for an export, which is audited. Throws not_found. */
export function readProfile(
  databaseUrl: string,
  email: string,
): Promise<{ accountId: string; profile: object }> {
  return runOnAccount({ databaseUrl }, email, async (session, account) => {
    const profile = await accountProfile(session, account);
    recordAuditEvent(session, account.id, 'export_made');
    await session.em.flush();
    return { accountId: account.id, profile };
  });
}

/**
 * Deletes the account as its owner would: access ends at once, data is erased later or now. Throws not_found.
 */
export function deleteAccount(
  stores: Stores,
  email: string,
  deletion: { environment: Environment; isNow: boolean },
): Promise<{ accountId: string; eraseAfter: Date }> {
  const reader = createEnvReader(deletion.environment);
  const days = deletion.isNow ? 0 : readAccountDeletionDays(reader);
  reader.finish();
  return runOnAccount(stores, email, async (session, { id }) => ({
    accountId: id,
    eraseAfter: await askForDeletion(session, id, days),
  }));
}

/** Starts the erasure, which can't be cancelled: resource-api's rows may be removed from now on. */
export function beginErasure(stores: Stores, accountId: string): Promise<void> {
  return runAsOperator(stores, ({ em, clock }) => markForErasure(em, clock.now(), accountId));
}

/** Whether all rows of the account are gone, including resource-api's. */
export function finishErasure(stores: Stores, accountId: string): Promise<boolean> {
  return runAsOperator(stores, ({ em, revoker }) => eraseAccount(em, revoker, accountId));
}

/** For an owner who can't receive mail. Throws not_found. */
export function makeResetLink(
  databaseUrl: string,
  email: string,
  baseUrl: string,
): Promise<{ accountId: string; url: string }> {
  return runOnAccount({ databaseUrl }, email, async (session, { id }) => {
    recordAuditEvent(session, id, 'reset_link_made');
    await session.em.flush();
    return { accountId: id, url: resetLink(await startPasswordReset(session, id), baseUrl) };
  });
}

/** For an owner who lost every second factor: the password alone signs in again. Throws not_found. */
export function removeSecondFactors(
  stores: Stores,
  email: string,
): Promise<{ accountId: string; removed: boolean }> {
  return runOnAccount(stores, email, async (session, { id }) => ({
    accountId: id,
    removed: await resetSecondFactor(session, id),
  }));
}

/** As `runAsOperator`, on the account with that address. Throws not_found. */
export function runOnAccount<Result>(
  stores: Stores,
  email: string,
  work: (session: Session, account: Account) => Promise<Result>,
): Promise<Result> {
  return runAsOperator(stores, async (session) => {
    const account = await findAccountByEmail(session, email);
    if (account !== null) return work(session, account);
    throw notFound('there is no account with that e-mail address');
  });
}

function present({ id, email, plan, timezone, status, lockedAt }: Account): AccountAnswer {
  return { accountId: id, email, plan, timezone, status: lockedAt === null ? status : 'locked' };
}

/** Without Redis, or with `waitsAlways`, a revocation is not confirmed by it and takes 2.5 s. */
export type Stores = { databaseUrl: string; redisUrl?: string | undefined; waitsAlways?: boolean };

/** Runs `work` on the stores with the rights of auth-server, no more. */
export async function runAsOperator<Result>(
  { databaseUrl: url, redisUrl, waitsAlways = false }: Stores,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const redis = redisUrl === undefined ? undefined : await connectRedisNow(redisUrl);
  const { database, orm } = openAuthDatabase({
    url,
    // The job queue starts while a transaction has the other one.
    poolSize: 2,
    applicationName: 'admin',
    waitMilliseconds: 10_000,
  });
  // Standard output is the command's own: an export may write to it.
  const jobs = createJobQueue(database, createLogger('admin', 'silent', process.stderr));
  orm.em.getEventManager().registerSubscriber(createNoticeQueue(jobs).auditEvents);
  try {
    const revoker = createRevoker({ redis, waitsAlways });
    return await work(openSession({ em: orm.em, clock: systemClock, revoker }, operatorOrigin));
  } finally {
    redis?.disconnect();
    await jobs.stop();
    await orm.close(true);
  }
}
