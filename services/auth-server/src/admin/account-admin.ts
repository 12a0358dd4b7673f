import { createRevoker } from '#shared/admission/revoker.ts';
import { AppError } from '#shared/errors/app-error.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { systemClock } from '#shared/time/clock.ts';
import type { Account } from '../accounts/account-entity.ts';
import {
  createAccount,
  findAccountByEmail,
  setAccountLocked,
  updateAccount,
} from '../accounts/account-service.ts';
import { startPasswordReset } from '../accounts/password-reset-service.ts';
import { operatorOrigin } from '../audit/audit-trail.ts';
import { connectAuthDatabase } from '../database/auth-orm.ts';
import { resetLink } from '../mail/reset-mail.ts';
import { openSession, type Session } from '../session.ts';

type AccountAnswer = { accountId: string; status: Account['status'] | 'locked' } & Pick<
  Account,
  'email' | 'plan' | 'timezone'
>;

/** `input`: `{email, password, plan?, timezone?}`. Throws validation_error. */
export function addAccount(databaseUrl: string, input: unknown): Promise<AccountAnswer> {
  return runAsOperator({ databaseUrl }, async (session) => present(await createAccount(session, input)));
}

/** `input`: `{plan?, timezone?, status?, password?, revokeApiTokens?}`. Throws not_found, validation_error. */
export function changeAccount(stores: Stores, email: string, input: unknown): Promise<AccountAnswer> {
  return runAsOperator(stores, async (session) => {
    const { id } = await requireAccount(session, email);
    return present(await updateAccount(session, id, input));
  });
}

/** Throws not_found. */
export function changeAccountLock(stores: Stores, email: string, isLocked: boolean): Promise<AccountAnswer> {
  return runAsOperator(stores, async (session) => {
    const { id } = await requireAccount(session, email);
    return present(await setAccountLocked(session, id, isLocked));
  });
}

/** Throws not_found. */
export function showAccount(databaseUrl: string, email: string): Promise<AccountAnswer> {
  return runAsOperator({ databaseUrl }, async (session) => present(await requireAccount(session, email)));
}

/** For an owner whom no mail reaches. Throws not_found. */
export function makeResetLink(
  databaseUrl: string,
  email: string,
  baseUrl: string,
): Promise<{ accountId: string; url: string }> {
  return runAsOperator({ databaseUrl }, async (session) => {
    const { id } = await requireAccount(session, email);
    return { accountId: id, url: resetLink(await startPasswordReset(session, id), baseUrl) };
  });
}

/** Throws not_found. */
export async function requireAccount(session: Session, email: string): Promise<Account> {
  const account = await findAccountByEmail(session, email);
  if (account !== null) return account;
  throw new AppError('not_found', { message: 'there is no account with that e-mail address' });
}

function present({ id, email, plan, timezone, status, lockedAt }: Account): AccountAnswer {
  return { accountId: id, email, plan, timezone, status: lockedAt === null ? status : 'locked' };
}

/** Without Redis, or with `waitsAlways`, a change of what tokens may do is not confirmed by it: it takes 2.5 s. */
export type Stores = { databaseUrl: string; redisUrl?: string | undefined; waitsAlways?: boolean };

/** Runs `work` on the stores with the rights of auth-server, no more. */
export async function runAsOperator<Result>(
  { databaseUrl: url, redisUrl, waitsAlways = false }: Stores,
  work: (session: Session) => Promise<Result>,
): Promise<Result> {
  const redis = redisUrl === undefined ? undefined : connectRedis(redisUrl);
  const orm = connectAuthDatabase({
    url,
    poolSize: 1,
    applicationName: 'admin',
    waitMilliseconds: 10_000,
  });
  try {
    const revoker = createRevoker({ redis, waitsAlways });
    return await work(openSession({ em: orm.em, clock: systemClock, revoker }, operatorOrigin));
  } finally {
    redis?.disconnect();
    await orm.close(true);
  }
}
