import { setTimeout as delay } from 'node:timers/promises';
import pg from 'pg';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { authServerRole, ensureRoles, resourceApiRole } from '#auth-server/database/roles.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { isDatabaseUnavailable } from '#shared/database/database-unavailable.ts';
import { migrate } from '#shared/database/migrate.ts';
import { codeOf } from '#shared/errors/error-code.ts';
import { installJobQueue } from '#shared/jobs/job-queue.ts';
import { describeFailure, describeUnreachable } from './describe-failure.ts';

type Patience = {
  /** Time limit of retries after the first failure. */
  totalMilliseconds: number;
  /** Called before each retry. */
  onPause(reason: string, pauseMilliseconds: number): void;
};

const noPatience: Patience = { totalMilliseconds: 0, onPause: () => undefined };

const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 30_000;

/** Ordered: `tasks` needs roles and views of `auth`. */
const plans = [
  { schema: 'auth', migrations: authMigrations, role: authServerRole },
  { schema: 'tasks', migrations: taskMigrations, role: resourceApiRole },
];

/**
 * Applies the pending migrations. `url`: a login that may create schemas, and roles unless they exist.
 * `patience`: retries while the server is unavailable or locks are held. Returns the applied migrations as
 * `schema/migration`.
 */
export async function migrateDatabase(url: string, patience: Patience = noPatience): Promise<string[]> {
  const retry = <Result>(work: () => Promise<Result>) => retryTransient(url, work, patience);
  await retry(() => ensureRoles(url));
  // First, so that a service that finds all migrations also finds the job queue.
  await retry(() => installJobQueue(url, [authServerRole, resourceApiRole]));
  const applied: string[] = [];
  for (const plan of plans) {
    const onApplied = (name: string) => void applied.push(`${plan.schema}/${name}`);
    await retry(() => migrate({ url, ...plan, onApplied }));
  }
  return applied;
}

/** Retries `work`, which continues where it failed, after transient errors. */
async function retryTransient<Result>(
  url: string,
  work: () => Promise<Result>,
  patience: Patience,
): Promise<Result> {
  const startedAt = performance.now();
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    try {
      return await work();
    } catch (error) {
      const reason = transientFailure(error) ?? (await connectionFailure(url));
      if (reason === undefined) throw error;
      if (performance.now() - startedAt + pause > patience.totalMilliseconds)
        throw new Error(`${reason}; given up after ${patience.totalMilliseconds / 1_000} s`, {
          cause: error,
        });
      patience.onPause(reason, pause);
      await delay(pause);
    }
  }
}

/** Lock timeout and deadlock (PostgreSQL, appendix A). */
const inUse = new Set(['55P03', '40P01']);
/** A starting or stopping server, and errors of the system or the driver if it does not respond. */
const isUnavailable = /^(57P0[1-3]|E\w+|)$/;

/** The reason of a transient failure; undefined if the operator has to act. */
function transientFailure(error: unknown): string | undefined {
  const code = codeOf(error);
  if (inUse.has(code)) return `another transaction holds a table that is to be changed (${code})`;
  return isDatabaseUnavailable(error) && isUnavailable.test(code) ? describeFailure(error) : undefined;
}

/** An error of the driver has no code: whether the server accepts connections now tells what it was. */
async function connectionFailure(url: string): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: 5_000 });
  // Without a listener an error event would end the process.
  client.on('error', () => undefined);
  try {
    await client.connect();
    return undefined;
  } catch (error) {
    return error instanceof pg.DatabaseError || !(error instanceof Error)
      ? undefined
      : describeUnreachable(error);
  } finally {
    await client.end();
  }
}
