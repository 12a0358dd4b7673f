import { AsyncLocalStorage } from 'node:async_hooks';
import { setTimeout as delay } from 'node:timers/promises';
import { type JobResult, PgBoss, type QueueOptions, type WorkOptions } from 'pg-boss';
import type { Queryable } from '../database/database.ts';
import { createFailureLog } from '../logging/failure-log.ts';
import type { Logger } from '../logging/logger.ts';

const schema = 'jobs';
/** An arbitrary constant. */
const grantLock = 7_267_314;
const startPauseMilliseconds = 1_000;

/** The queues and their retries: within a minute at first, then for two days. */
const queues = {
  mail: {
    retryLimit: 60,
    retryDelay: 10,
    retryBackoff: true,
    retryDelayMax: 3_600,
    expireInSeconds: 60,
    retentionSeconds: 3 * 86_400,
    // Jobs contain personal data.
    deleteAfterSeconds: 3_600,
  },
  // Each delivery is claimed by a row before it is sent, so a job that runs again sends nothing twice.
  reminder: {
    retryLimit: 8,
    retryDelay: 5,
    retryBackoff: true,
    retryDelayMax: 600,
    expireInSeconds: 60,
    retentionSeconds: 86_400,
    deleteAfterSeconds: 600,
  },
  // Retries of what a push service did not accept, one job each.
  push: { retryLimit: 0, expireInSeconds: 60, retentionSeconds: 86_400, deleteAfterSeconds: 600 },
} as const satisfies Record<string, QueueOptions>;

type QueueName = keyof typeof queues;

/** Polling interval and concurrency of each process. After a full batch the next one is fetched at once. */
const paces: Record<QueueName, WorkOptions> = {
  mail: { pollingIntervalSeconds: 1, localConcurrency: 4, batchSize: 2, burstWhenBatchFull: true },
  reminder: { pollingIntervalSeconds: 1, localConcurrency: 6, batchSize: 2, burstWhenBatchFull: true },
  push: { pollingIntervalSeconds: 1, localConcurrency: 2, batchSize: 50, burstWhenBatchFull: true },
};

type AddOptions = {
  startAt?: Date;
  /** Jobs of a higher one run first. By default that of the job that adds them, else 0. */
  priority?: number;
};

export type JobQueue = {
  /** Adds a job for each payload on `db`: in the caller's transaction, if it is one. */
  add(name: QueueName, payloads: readonly object[], db: Queryable, options?: AddOptions): Promise<void>;
  /** Runs `handle` for each job, once the queue can be reached; if it rejects, the job is retried. */
  run<Payload>(name: QueueName, handle: (payload: Payload, id: string) => Promise<void>): Promise<void>;
  /** Resolves when the jobs in progress are done. */
  stop(): Promise<void>;
};

/** Jobs in PostgreSQL: they survive a crash, and each is run by one process at a time. */
export function createJobQueue(database: Queryable, logger: Logger): JobQueue {
  const boss = new PgBoss({
    db: asBossDatabase(database),
    schema,
    migrate: false,
    createSchema: false,
    schedule: false,
    // The service's role does not own the tables.
    reindex: false,
    monitorVacuum: false,
  });
  const logFailure = createFailureLog(logger, 'the job queue failed');
  // Without PostgreSQL each worker emits an error a second: a copy of one, which is an Error to no logger.
  boss.on('error', (failure: object) => {
    logFailure(failure instanceof Error ? failure : Object.assign(new Error(), failure));
  });
  const statusOf = (work: Promise<void>, queue: QueueName): Promise<JobResult['status']> =>
    work.then(
      () => 'completed',
      (error: unknown) => {
        logger.error({ err: error, queue }, 'a job failed');
        return 'failed';
      },
    );
  const runningPriority = new AsyncLocalStorage<number>();
  let starting: Promise<unknown> | undefined;
  const start = async (): Promise<void> => {
    starting ??= boss.start();
    await starting.catch((error: unknown) => {
      starting = undefined;
      throw error;
    });
  };
  const stopping = new AbortController();
  /** Retries: otherwise a process that starts while the queue is unavailable would run no jobs. */
  const startInTime = async (): Promise<void> => {
    while (!stopping.signal.aborted) {
      try {
        return await start();
      } catch (error) {
        logFailure(error);
        await delay(startPauseMilliseconds, undefined, { signal: stopping.signal }).catch(() => undefined);
      }
    }
  };
  return {
    async add(name, payloads, db, { startAt, priority = runningPriority.getStore() ?? 0 } = {}) {
      if (payloads.length === 0) return;
      await start();
      const jobs = payloads.map((data) => ({ data, priority, ...(startAt && { startAfter: startAt }) }));
      await boss.insert(name, jobs, { db: asBossDatabase(db) });
    },
    async run<Payload>(name: QueueName, handle: (payload: Payload, id: string) => Promise<void>) {
      await startInTime();
      if (stopping.signal.aborted) return;
      // A job that fails must not repeat those of its batch.
      const options = { ...paces[name], perJobResults: true, includeMetadata: true } as const;
      await boss.work<Payload, never, typeof options>(name, options, async (jobs) => {
        const results: JobResult[] = [];
        for (const { data, id, priority } of jobs) {
          const work = runningPriority.run(priority, () => handle(data, id));
          const status = await statusOf(work, name);
          results.push({ id, status });
        }
        return results;
      });
    },
    async stop() {
      stopping.abort();
      if (starting !== undefined) await boss.stop({ timeout: 5_000 });
    },
  };
}

/** Creates or migrates the queue's tables. `url`: a login that may create schemas. */
export async function installJobQueue(url: string, roles: readonly string[]): Promise<void> {
  const boss = new PgBoss({ connectionString: url, schema, supervise: false, schedule: false, max: 1 });
  // Without a listener the event would end the process; `start` rejects with the same error.
  boss.on('error', () => undefined);
  await boss.start();
  try {
    for (const [name, options] of Object.entries(queues)) await boss.createQueue(name, options);
    const db = boss.getDb();
    const to = roles.join(', ');
    // Serialises concurrent migrations.
    await db.executeSql(`select pg_advisory_xact_lock(${grantLock});
      grant usage on schema ${schema} to ${to};
      grant select, insert, update, delete on all tables in schema ${schema} to ${to};
      grant execute on all functions in schema ${schema} to ${to}`);
  } finally {
    await boss.stop();
  }
}

function asBossDatabase({ query }: Queryable) {
  return {
    executeSql: (text: string, values?: unknown[]) => query({ text, ...(values && { values }) }),
  };
}
