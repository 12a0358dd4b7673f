import { createServer, type RequestListener, type Server } from 'node:http';
import { flushCompileCache } from 'node:module';
import { setTimeout as delay } from 'node:timers/promises';
import type { Express } from 'express';
import type { Logger } from '../logging/logger.ts';
import { readRelease } from '../logging/release.ts';
import { createStartupCheck, type StartRequirements } from '../startup/startup-check.ts';
import { waitUntilReady } from '../startup/wait-until-ready.ts';
import type { Sweeper } from '../sweep/sweeper.ts';
import { createGracefulStop, type GracefulStop } from './graceful-stop.ts';
import { createManagementApp, type MetricsSource, type ServiceState } from './health.ts';

export type ServerConfig = {
  host: string;
  port: number;
  managementPort: number;
  /** How long requests are still accepted after the signal to stop. */
  shutdownDelayMilliseconds: number;
  /** How long those under way may then take. */
  shutdownGraceMilliseconds: number;
};

/** Of a service's context what its server needs. */
export type ServerContext = Pick<StartRequirements, 'requiredSchema'> & {
  logger: Logger;
  metrics?: { source: MetricsSource };
  /** Started when the service serves. */
  sweeper: Pick<Sweeper, 'start'>;
  /** Ends responses that would stay open, when the service stops accepting: clients connect elsewhere. */
  endStreams?(): void;
  /** Closes what the app holds, after the last response. */
  close(): Promise<void>;
};

export type ServerOptions = Pick<StartRequirements, 'firstData'> & {
  app: Express;
  config: ServerConfig;
  context: ServerContext;
};

/** The process ends when what it holds can't be closed in this time. */
const disposeMilliseconds = 5_000;

/**
 * Says at once that it is alive, waits for the database, then serves until SIGTERM, SIGINT or the parent goes away;
 * drains, disposes and exits: with 0, or 1 after an error that nobody caught. While it waits a signal ends it at once.
 */
export async function runServer(options: ServerOptions): Promise<void> {
  const { app, config, context, firstData } = options;
  const { host } = config;
  const { logger, requiredSchema } = context;
  const stopping = new AbortController();
  let state: ServiceState = { status: 'starting' };
  const server = createApiServer(app);
  const gracefulStop = createGracefulStop(server);
  const management = createServer(
    createManagementApp({ state: () => state, metrics: context.metrics?.source }),
  );

  logger.info(readRelease(), 'starting');
  stopOnSignals(config, logger, (reason, delayMilliseconds) => {
    if (stopping.signal.aborted) return;
    logger.info({ reason, ...readRelease() }, 'stopping');
    const ending =
      state.status === 'ready' ? shutDown(gracefulStop, delayMilliseconds, options) : Promise.resolve();
    state = { status: 'draining' };
    stopping.abort();
    void ending
      .catch((error: unknown) => logger.error({ err: error }, 'stopping failed'))
      .finally(() => process.exit());
  });

  try {
    await listen(management, config.managementPort, host);
    await waitUntilReady({
      check: createStartupCheck({ requiredSchema, firstData }),
      onFailed: ({ waitingFor }) => {
        state = { status: 'starting', waitingFor };
      },
      logger,
      signal: stopping.signal,
    });
    await listen(server, config.port, host);
    state = { status: 'ready' };
    context.sweeper.start();
    logger.info({ port: config.port }, 'listening');
    // Where NODE_COMPILE_CACHE is set: a process that is killed later has written nothing at its end.
    flushCompileCache();
  } catch (error) {
    if (stopping.signal.aborted) return;
    logger.fatal({ err: error }, 'the service could not start');
    process.exit(1);
  }
}

/** A signal that comes again changes nothing: the drain has its own limits. */
function stopOnSignals(
  { shutdownDelayMilliseconds }: ServerConfig,
  logger: Logger,
  stop: (reason: string, delayMilliseconds: number) => void,
): void {
  process.on('SIGTERM', () => stop('SIGTERM', shutdownDelayMilliseconds));
  process.on('SIGINT', () => stop('SIGINT', shutdownDelayMilliseconds));
  process.on('disconnect', () => stop('the parent process is gone', 0));
  // Rejections that nobody handles come here too. What the process holds may be damaged: it takes no more requests.
  process.on('uncaughtException', (error) => {
    process.exitCode = 1;
    logger.fatal({ err: error }, 'an error that nobody caught');
    stop('an error that nobody caught', 0);
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
  await Promise.race([context.close(), delay(disposeMilliseconds)]);
}

/** More would take the file descriptors that the process needs for its stores; a gateway's clients share a few. */
const maximumConnections = 10_000;
/** Longer than any response is worked on: a client that reads nothing for so long is cut off. */
const stalledMilliseconds = 120_000;

/** With time limits against slow clients; keep-alive outlives the idle time of common load balancers (60 s). */
export function createApiServer(app: RequestListener): Server {
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
      // Often, so that late requests are refused one by one, not hundreds at once.
      connectionsCheckingInterval: 250,
    },
    app,
  );
  server.maxConnections = maximumConnections;
  server.setTimeout(stalledMilliseconds);
  return server;
}

export function listen(server: Server, port: number, host: string): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
}
