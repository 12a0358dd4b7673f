import { once } from 'node:events';
import { createServer, type RequestListener, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import { endLog, type Logger } from '../logging/logger.ts';
import { readRelease } from '../logging/release.ts';
import { createStartupCheck, type StartRequirements, waitUntilReady } from '../startup/startup-check.ts';
import type { BackgroundJobs } from '../sweep/sweeper.ts';
import { waitAtMost } from '../time/wait-at-most.ts';
import { createGracefulStop, type GracefulStop } from './graceful-stop.ts';
import { createManagementApp, type MetricsSource, type ServiceState } from './health.ts';

type ServerConfig = {
  host: string;
  port: number;
  managementPort: number;
  /** How long requests are still accepted after the signal. */
  shutdownDelayMilliseconds: number;
  /** How long requests in progress may then take. */
  shutdownGraceMilliseconds: number;
};

/** The part of a service's context that its server needs. */
type ServerContext = Pick<StartRequirements, 'requiredSchema'> & {
  logger: Logger;
  metrics: { source: MetricsSource };
  /** Started when the service serves. */
  backgroundJobs: BackgroundJobs;
  /** Ends event streams when the service stops accepting: clients reconnect elsewhere. */
  endStreams?(): void;
  /** Closes the app's resources, after the last response. */
  close(): Promise<void>;
};

type ServerOptions = Pick<StartRequirements, 'initialData'> & {
  app: Express;
  config: ServerConfig;
  context: ServerContext;
};

/** Time limit of `close`; then the process exits. */
const disposeMilliseconds = 5_000;

/**
 * Serves `/livez` at once, waits for the database, then serves until SIGTERM, SIGINT or the exit of the
 * parent; drains, disposes and exits with 0, or 1 after an uncaught exception. A signal during startup ends
 * it at once.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const { app, config, context, initialData } = options;
  const { host } = config;
  const { logger, requiredSchema } = context;
  const stopping = new AbortController();
  let state: ServiceState = { status: 'starting' };
  const server = createApiServer(app);
  const gracefulStop = createGracefulStop(server);
  const management = createServer(createManagementApp(() => state, context.metrics.source));

  logger.info(readRelease(), 'starting');
  stopOnSignals(config, logger, (reason, delayMilliseconds) => {
    if (stopping.signal.aborted) return;
    logger.info({ reason, ...readRelease() }, 'stopping');
    const ending =
      state.status === 'ready' ? shutDown(gracefulStop, delayMilliseconds, options) : Promise.resolve();
    state = { status: 'draining' };
    stopping.abort();
    void ending
      .catch((error: unknown) => logger.error({ err: error }, 'shutdown failed'))
      .then(endLog)
      .finally(() => process.exit());
  });

  try {
    await once(management.listen(config.managementPort, host), 'listening');
    await waitUntilReady({
      check: createStartupCheck({ requiredSchema, initialData }),
      onFailed: ({ waitingFor }) => {
        state = { status: 'starting', waitingFor };
      },
      logger,
      signal: stopping.signal,
    });
    await once(server.listen(config.port, host), 'listening');
    state = { status: 'ready' };
    context.backgroundJobs.start();
    logger.info({ port: config.port }, 'listening');
    // With NODE_COMPILE_CACHE: a killed process would not write its cache.
    flushCompileCache();
  } catch (error) {
    if (stopping.signal.aborted) return;
    logger.fatal({ err: error }, 'the service could not start');
    await endLog();
    process.exit(1);
  }
}

/** Repeated signals are ignored: the drain has its own timeouts. */
function stopOnSignals(
  { shutdownDelayMilliseconds }: ServerConfig,
  logger: Logger,
  stop: (reason: string, delayMilliseconds: number) => void,
): void {
  process.on('SIGTERM', () => stop('SIGTERM', shutdownDelayMilliseconds));
  process.on('SIGINT', () => stop('SIGINT', shutdownDelayMilliseconds));
  process.on('disconnect', () => stop('the parent process is gone', 0));
  // Includes unhandled rejections. The state may be corrupt, so the process stops accepting.
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    logger.fatal({ err: error }, 'uncaught exception');
    stop('uncaught exception', 0);
  });
}

async function shutDown(
  gracefulStop: GracefulStop,
  delayMilliseconds: number,
  { config, context }: ServerOptions,
): Promise<void> {
  gracefulStop.begin();
  await delay(delayMilliseconds);
  context.endStreams?.();
  await gracefulStop.finish(config.shutdownGraceMilliseconds);
  await waitAtMost(disposeMilliseconds, context.close());
}

/** Leaves file descriptors for the stores; a gateway's clients share few connections. */
const maximumConnections = 10_000;
/** Longer than any response takes: a client that does not read for so long is disconnected. */
const stalledMilliseconds = 120_000;

/**
 * With timeouts against slow clients; keep-alive exceeds the idle timeout of common load balancers (60 s).
 */
export function createApiServer(app: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
      // Frequent, so that timeouts are spread over time.
      connectionsCheckingInterval: 250,
    },
    app,
  );
  server.maxConnections = maximumConnections;
  server.setTimeout(stalledMilliseconds);
  return server;
}
