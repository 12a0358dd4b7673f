import { setTimeout as delay } from 'node:timers/promises';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { authServerRole, ensureRoles, resourceApiRole } from '#auth-server/database/roles.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { isDatabaseUnavailable } from '#shared/database/database-unavailable.ts';
import { migrate } from '#shared/database/migrate.ts';
import { installJobQueue } from '#shared/jobs/job-queue.ts';
import { describeFailure } from './describe-failure.ts';

type Patience = {
  /** How long it is tried again after the first failure. */
  totalMilliseconds: number;
  /** Told why it waits, and for how long, before each further try. */
  onPause(reason: string, pauseMilliseconds: number): void;
};

const noPatience: Patience = { totalMilliseconds: 0, onPause: () => undefined };

const firstPauseMilliseconds = 1_000;
const longestPauseMilliseconds = 30_000;

/** In order: the grants of `tasks` are to roles that `auth` brings, and its functions read views of `auth`. */
const plans = [
  { schema: 'auth', migrations: authMigrations, role: authServerRole },
  { schema: 'tasks', migrations: taskMigrations, role: resourceApiRole },
];

/**
 * Brings the database up to date. `url`: a login that may create schemas, and roles unless they are there.
 * `patience`: with a server that is away, and with whoever holds what has to be locked.
 * Returns what was applied, as `schema/migration`.
 */
export async function migrateDatabase(url: string, patience: Patience = noPatience): Promise<string[]> {
  await keepTrying(() => ensureRoles(url), patience);
  // First: a service that finds all migrations finds the job queue as well.
  await keepTrying(() => installJobQueue(url, [authServerRole, resourceApiRole]), patience);
  const applied: string[] = [];
  for (const plan of plans) {
    const names = await keepTrying(() => migrate({ url, ...plan }), patience);
    applied.push(...names.map((name) => `${plan.schema}/${name}`));
  }
  return applied;
}

/** Does `work`, which leaves nothing behind when it throws, until nothing that passes by itself stands in its way. */
async function keepTrying<Result>(work: () => Promise<Result>, patience: Patience): Promise<Result> {
  const startedAt = performance.now();
  for (let pause = firstPauseMilliseconds; ; pause = Math.min(2 * pause, longestPauseMilliseconds)) {
    try {
      return await work();
    } catch (error) {
      const reason = passingObstacle(error);
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

/** A lock that was not had in time, and a deadlock (PostgreSQL, appendix A). */
const inUse = new Set(['55P03', '40P01']);
/** A server that starts or stops, and what the system or the driver says of one that does not respond. */
const isAway = /^(57P0[1-3]|E\w+|)$/;

/** Why it failed, where it may succeed the next time; undefined where the operator has to act. */
function passingObstacle(error: unknown): string | undefined {
  const code = error instanceof Error && 'code' in error ? String(error.code ?? '') : '';
  if (inUse.has(code)) return `another transaction holds a table that is to be changed (${code})`;
  return isDatabaseUnavailable(error) && isAway.test(code) ? describeFailure(error) : undefined;
}
