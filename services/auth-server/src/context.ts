import { hkdfSync } from 'node:crypto';
import { createRevoker } from '#shared/admission/revoker.ts';
import { createConcurrencyLimit } from '#shared/http/concurrency-limit.ts';
import { createJobQueue } from '#shared/jobs/job-queue.ts';
import { logSlowStatements } from '#shared/logging/log-slow-statements.ts';
import { createLogger, type Logger } from '#shared/logging/logger.ts';
import { createAddressKey } from '#shared/rate-limit/address-limit.ts';
import { openRateLimits } from '#shared/rate-limit/rate-limiter.ts';
import { createSweeper } from '#shared/sweep/sweeper.ts';
import { type Clock, systemClock } from '#shared/time/clock.ts';
import { startTracing } from '#shared/tracing/start-tracing.ts';
import { traceStatements } from '#shared/tracing/tracing.ts';
import { createClientLogos } from './clients/client-logos.ts';
import { createClientDocumentFetch, type FetchClientDocument } from './clients/fetch-client-document.ts';
import { createFetchQueue } from './clients/fetch-queue.ts';
import { type PublicRequestOptions, publicInternet } from './clients/request-public-host.ts';
import type { Config } from './config/config.ts';
import { openAuthDatabase } from './database/auth-orm.ts';
import { authMigrations } from './database/migrations.ts';
import { authServerRole } from './database/roles.ts';
import { createKeyCipher } from './keys/signing-key.ts';
import { createSigningKeys } from './keys/signing-keys.ts';
import { createMailService } from './mail/mail-service.ts';
import { createNoticeQueue } from './mail/notice-queue.ts';
import { createAuthServerMetrics } from './metrics/auth-server-metrics.ts';
import { createClientRegistry } from './oauth/client-registry.ts';
import { createProviderSource } from './oauth/provider.ts';
import { createPushServices } from './reminders/push-endpoint.ts';
import { createPushSender } from './reminders/push-sender.ts';
import { createReminderService } from './reminders/reminder-service.ts';
import { createVapidKeySource } from './reminders/vapid-keys.ts';
import { sweepExpired } from './sweep/expired-records.ts';

/** Everything a request may use, made once per process. */
export type Context = Awaited<ReturnType<typeof createContext>>;

type ContextOverrides = {
  clock?: Clock;
  logger?: Logger;
  fetchDocument?: FetchClientDocument;
  /** Connects to hosts of logos and push services. */
  publicHosts?: PublicRequestOptions | undefined;
};

/** The composition root. Connects lazily: the stores may become available after this process. */
export async function createContext(config: Config, overrides: ContextOverrides = {}) {
  const logger = overrides.logger ?? createLogger('auth-server', config.logLevel);
  const metrics = createAuthServerMetrics();
  const tracing = await startTracing('auth-server', config.tracing, logger);
  const { database, orm } = openAuthDatabase({
    url: config.databaseUrl,
    poolSize: config.databasePoolSize,
    waitMilliseconds: config.databaseWaitMilliseconds,
    hasPreparedStatements: config.hasPreparedStatements,
    logger,
    applicationName: 'auth-server',
    observers: [metrics.database, traceStatements(tracing), logSlowStatements(logger)],
  });
  orm.em.getEventManager().registerSubscriber(metrics.auditEvents);
  const rateLimits = openRateLimits({ ...config, logger, metrics, tracing });
  const { tokenLimiter, addressLimiter, windowLimit, networkLimit } = rateLimits;
  const revoker = createRevoker({
    redis: rateLimits.redis,
    waitsAlways: config.revocationWaitsAlways,
    observer: metrics.revocations,
  });
  const cipher = createKeyCipher(config.keyEncryptionSecret);
  const signingKeys = createSigningKeys({
    em: orm.em,
    cipher,
    logger,
    tokenLifetimeSeconds: config.accessTokenTtlSeconds,
    observer: metrics.keys,
  });
  const clock = overrides.clock ?? systemClock;
  const addressKeyOf = createAddressKey(config);
  /** Signs the cookies and form tokens of pages; the same in every replica. */
  const pageSecret = derivePageSecret(config.keyEncryptionSecret);
  const fetchQueue = createFetchQueue();
  const fetchDocument = overrides.fetchDocument ?? createClientDocumentFetch({ queue: fetchQueue });
  const clients = createClientRegistry({ em: orm.em, clock, logger, fetchDocument });
  const { publicHosts = publicInternet } = overrides;
  const clientLogos = createClientLogos({
    em: orm.em,
    clock,
    logger,
    queue: fetchQueue,
    publicHosts,
  });
  const sweeper = createSweeper({
    sweep: metrics.measureSweep((signal) => sweepExpired({ em: orm.em, revoker, clock, config }, signal)),
    logger,
  });
  const jobs = createJobQueue(database, logger);
  const mail =
    config.mail &&
    createMailService({
      settings: config.mail,
      pageSecret,
      baseUrl: config.baseUrl,
      database,
      jobs,
      em: orm.em,
      clock,
      logger,
    });
  const notices = mail && createNoticeQueue(jobs);
  if (notices) orm.em.getEventManager().registerSubscriber(notices.auditEvents);
  const pushServices = createPushServices(config.pushServiceHosts);
  const vapidKeys = createVapidKeySource(database, cipher);
  const subject = config.baseUrl.startsWith('https:') ? config.baseUrl : 'mailto:tasks@localhost';
  const reminders = createReminderService({
    database,
    jobs,
    sender: createPushSender({
      services: pushServices,
      keys: vapidKeys,
      subject,
      publicHosts,
    }),
    hasMail: mail !== undefined,
    clock,
    logger,
    observer: metrics.reminders,
  });
  const concurrencyLimit = createConcurrencyLimit(config.maxConcurrentRequests);
  metrics.showShedRequests(concurrencyLimit.refused);

  return {
    config,
    logger,
    clock,
    em: orm.em,
    revoker,
    signingKeys,
    pageSecret,
    /** Encrypts the secrets of authenticator apps in the database. */
    authenticatorCipher: createKeyCipher(config.keyEncryptionSecret, 'authenticator apps'),
    oauthProvider: createProviderSource({
      config,
      clock,
      em: orm.em,
      revoker,
      signingKeys,
      pageSecret,
      clients,
      addressKeyOf,
    }),
    clients,
    clientLogos,
    tokenLimiter,
    addressLimiter,
    addressKeyOf,
    /** Rate limits of OAuth's endpoints and the pages, by address unless stated otherwise. */
    limiters: {
      registration: windowLimit('registration', 'rl:r', config.registrationsPerAddressPerHour, 3_600),
      tokenEndpoint: windowLimit('token_endpoint', 'rl:o', config.tokenRequestsPerAddressPerMinute),
      pages: windowLimit('pages', 'rl:p', config.pagesPerAddressPerMinute),
      signUp: networkLimit('sign_up', 'rl:u', config.signUpsPerAddressPerHour, 3_600),
      /** By e-mail address. */
      passwordReset: windowLimit('password_reset', 'rl:pr', config.passwordResetsPerAccountPerHour, 3_600),
      /** By e-mail address, and by the requesting account. */
      addressLink: windowLimit('address_link', 'rl:al', config.addressLinksPerHour, 3_600),
      /** By e-mail address. */
      signInByAccount: windowLimit('sign_in_by_account', 'rl:sa', config.signInFailuresPerAccount, 900),
      signInByAddress: networkLimit('sign_in_by_address', 'rl:si', config.signInFailuresPerAddress, 900),
      /** By browser, for those that signed in to the account before. */
      signInByBrowser: windowLimit('sign_in_by_browser', 'rl:sb', config.signInFailuresPerAccount, 900),
      /** Codes after a correct password, by account. */
      secondFactor: windowLimit('second_factor', 'rl:sf', config.signInFailuresPerAccount, 900),
      /** By browser session. */
      appToken: windowLimit('app_token', 'rl:at', config.appTokensPerSessionPerMinute),
    },
    requiredSchema: {
      url: config.databaseUrl,
      role: authServerRole,
      schema: 'auth',
      migrations: authMigrations.map(({ name }) => name),
      timeoutMilliseconds: config.databaseWaitMilliseconds,
    },
    concurrencyLimit,
    backgroundJobs: {
      start() {
        sweeper.start();
        mail?.start();
        reminders.start();
      },
    },
    /** undefined if mail is not configured. */
    mail,
    notices,
    reminders,
    pushServices,
    vapidKeys,
    metrics,
    tracing,
    async close() {
      await sweeper.stop();
      await jobs.stop();
      await reminders.stop();
      await clientLogos.close();
      mail?.close();
      rateLimits.close();
      await orm.close(true);
      await tracing.close();
    },
  };
}

/** A derived key, independent of the one that encrypts the signing keys (RFC 5869). */
function derivePageSecret(keyEncryptionSecret: string): Buffer {
  return Buffer.from(hkdfSync('sha256', keyEncryptionSecret, '', 'pages', 32));
}
