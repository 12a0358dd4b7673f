import { createConcurrencyLimit } from '#shared/http/concurrency-limit.ts';
import { createJobQueue } from '#shared/jobs/job-queue.ts';
import { logSlowStatements } from '#shared/logging/log-slow-statements.ts';
import { createLogger, type Logger } from '#shared/logging/logger.ts';
import { createAddressKey } from '#shared/rate-limit/address-limit.ts';
import { openRateLimits } from '#shared/rate-limit/rate-limiter.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { createSweeper } from '#shared/sweep/sweeper.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { startTracing } from '#shared/tracing/start-tracing.ts';
import { inSpan, traceStatements } from '#shared/tracing/tracing.ts';
import { createTransferLimit } from './account-file/transfer-limit.ts';
import { createAccessTokenVerifier } from './auth/access-token-verifier.ts';
import { createAdmission } from './auth/admission.ts';
import { createAuthenticator } from './auth/authenticate.ts';
import { createPrincipalChanges } from './auth/principal-changes.ts';
import { createTokenCache } from './auth/token-cache.ts';
import { createTokenUseRecorder } from './auth/token-use-recorder.ts';
import { writeTokenUses } from './auth/token-use-repository.ts';
import { createVerificationKeys } from './auth/verification-keys.ts';
import type { Config } from './config/config.ts';
import { taskMigrations } from './database/migrations.ts';
import { openTasksDatabase, resourceApiRole } from './database/tasks-database.ts';
import { createAccountShare } from './http/account-share.ts';
import { createCursorCodec, createCursorSecret } from './http/cursor.ts';
import { createLiveUpdates } from './live/live-updates.ts';
import { createResourceApiMetrics } from './metrics/resource-api-metrics.ts';
import { createNotesRenderer } from './notes/notes-renderer.ts';
import { renderPendingNotes } from './notes/pending-notes.ts';
import { measureStorage } from './plans/measure-storage.ts';
import { queueDueReminders } from './reminders/queue-due-reminders.ts';
import type { WriteObserver } from './session.ts';
import { sweepExpired } from './sweep-expired.ts';
import { createAccountQueue } from './sync/account-queue.ts';

/** Of one account. */
const snapshotsAtOnce = 4;

/** Everything a request may use, made once per process. */
export type Context = Awaited<ReturnType<typeof createContext>>;

/** The composition root. Connects when first asked: the stores may come later than this process. */
export async function createContext(config: Config, overrides: { clock?: Clock; logger?: Logger } = {}) {
  const logger = overrides.logger ?? createLogger('resource-api', config.logLevel);
  const clock = overrides.clock ?? systemClock;
  const metrics = createResourceApiMetrics();
  const tracing = await startTracing('resource-api', config.tracing, logger);
  const database = openTasksDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    waitMilliseconds: config.databaseWaitMilliseconds,
    hasPreparedStatements: config.hasPreparedStatements,
    logger,
    observers: [metrics.database, traceStatements(tracing), logSlowStatements(logger)],
  });
  const rateLimits = openRateLimits({ ...config, logger, metrics, tracing });
  const addressKeyOf = createAddressKey(config);
  const limiters = {
    address: rateLimits.addressLimiter,
    token: rateLimits.tokenLimiter,
    session: rateLimits.limit('session', 'rl:s', config.requestsPerSessionPerMinute),
  };
  const changes = createPrincipalChanges(database, logger);
  metrics.showLeaseAge(() => changes.ageSeconds());
  const notes = createNotesRenderer({ ...config.notes, observer: metrics.renderings });
  metrics.showRenderLoad(() => notes.load());
  const keys = createVerificationKeys(database, logger, metrics.keys);
  const accessTokens = createAccessTokenVerifier({ baseUrl: config.baseUrl, clock, keys, logger });
  const tokenUses = createTokenUseRecorder({
    clock,
    logger,
    write: (uses) => writeTokenUses(database, uses),
  });
  const cursorSecret = createCursorSecret(database);
  const accountQueue = createAccountQueue(database.timeouts.statement);
  metrics.storage.limit(config.accountStorageBytes);
  const jobs = createJobQueue(database, logger);
  const periodicJobs = [
    { sweep: metrics.measureSweep((signal) => sweepExpired(database, clock, signal)) },
    {
      purpose: 'render pending notes',
      sweep: (signal: AbortSignal) =>
        renderPendingNotes({ database, accountQueue, clock, observer: writeObserver }, notes, signal),
      intervalMilliseconds: 5_000,
    },
    {
      purpose: 'measure storage',
      sweep: (signal: AbortSignal) => measureStorage(database, metrics.storage, signal),
    },
    {
      purpose: 'queue due reminders',
      sweep: (signal: AbortSignal) =>
        queueDueReminders({ database, jobs, clock, observe: metrics.remindersQueued }, signal),
      intervalMilliseconds: 1_000,
    },
  ].map((job) => createSweeper({ ...job, logger }));
  const live = createLiveUpdates({
    db: database,
    clock,
    logger,
    metrics: metrics.live,
    publisher: rateLimits.redis,
    subscriber: connectRedis(config.redisUrl, logger),
  });
  /** Counts writes, and notifies open streams of them. */
  const writeObserver: WriteObserver = {
    started: metrics.writes.started,
    refusedAsFull: metrics.storage.refused,
    committed(changedRows, accountId, seq) {
      metrics.writes.committed(changedRows, accountId, seq);
      if (changedRows > 0) live.announce(accountId, seq);
    },
  };
  const concurrencyLimit = createConcurrencyLimit(config.maxConcurrentRequests);
  metrics.showShedRequests(concurrencyLimit.refused);
  const accountShare = createAccountShare(
    Math.ceil(config.maxConcurrentRequests / 4),
    database.timeouts.lock,
  );

  return {
    config,
    logger,
    clock,
    database,
    accountQueue,
    writeObserver,
    /** Reads of very many rows: one of an account at a time, or it would take all connections. */
    readQueue: createAccountQueue(database.timeouts.statement),
    /** Snapshots are in memory until their clients have taken them. */
    snapshotQueue: createAccountQueue(database.timeouts.statement, snapshotsAtOnce),
    notes: {
      ...notes,
      render: (...given: Parameters<typeof notes.render>) =>
        inSpan(tracing, 'render notes', () => notes.render(...given)),
    },
    cursors: createCursorCodec(cursorSecret.value),
    /** To be loaded before the first request. */
    cursorSecret,
    requiredSchema: {
      url: config.databaseUrl,
      role: resourceApiRole,
      schema: 'tasks',
      migrations: taskMigrations.map(({ name }) => name),
      timeoutMilliseconds: config.databaseWaitMilliseconds,
    },
    concurrencyLimit,
    accountShare,
    admission: createAdmission({
      counter: rateLimits.counter,
      authenticate: metrics.countAuthentications(
        createAuthenticator({ db: database, clock, accessTokens, tokenUses }),
      ),
      tokenCache: createTokenCache({ clock, changes, observe: metrics.countAdmission }),
      addressKeyOf,
      accountShare,
      limiters,
    }),
    addressLimiter: limiters.address,
    addressKeyOf,
    /** Of whole accounts, out and in. */
    withinTransferLimit: createTransferLimit(config.databasePoolSize),
    live,
    endStreams: live.endAll,
    backgroundJobs: {
      start() {
        for (const job of periodicJobs) job.start();
      },
    },
    metrics,
    tracing,
    async close() {
      live.close();
      await Promise.all(periodicJobs.map((job) => job.stop()));
      await jobs.stop();
      await notes.close();
      await changes.close();
      await tokenUses.close();
      rateLimits.close();
      await database.close();
      await tracing.close();
    },
  };
}
