import { createServer, type RequestListener, type Server } from 'node:http';
import type { Logger } from '../logging/logger.ts';
import { createManagementApp } from './health.ts';
import { answerMalformedRequest, requireOneHost } from './malformed-request.ts';

export type ServerOptions = {
  app: RequestListener;
  host: string;
  port: number;
  managementPort: number;
  logger: Logger;
  isReady(): Promise<boolean>;
  /** Closes what the app holds, after the last answer. */
  dispose(): Promise<void>;
};

const drainMilliseconds = 10_000;

/** Listens until SIGTERM, SIGINT or the parent goes away; then answers what is under way, disposes and exits. */
export async function runServer(options: ServerOptions): Promise<void> {
  const { logger } = options;
  let draining = false;
  const publicServer = createApiServer(options.app);
  const managementServer = createServer(
    createManagementApp({ isDraining: () => draining, isReady: options.isReady }),
  );

  const stop = (reason: string): void => {
    if (draining) return;
    draining = true;
    logger.info({ reason }, 'stopping');
    void shutDown([publicServer, managementServer], options)
      .catch((error: unknown) => logger.error({ err: error }, 'stopping failed'))
      .finally(() => process.exit(0));
  };
  process.once('SIGTERM', () => stop('SIGTERM'));
  process.once('SIGINT', () => stop('SIGINT'));
  process.once('disconnect', () => stop('the parent process is gone'));

  await listen(managementServer, options.managementPort, options.host);
  await listen(publicServer, options.port, options.host);
  logger.info({ port: options.port }, 'listening');
}

/** Time limits against slow clients; keep-alive outlives the idle time of common load balancers (60 s). */
export function createApiServer(app: RequestListener): Server {
  const listener = requireOneHost(app);
  const server = createServer(
    {
      headersTimeout: 10_000,
      requestTimeout: 30_000,
      keepAliveTimeout: 75_000,
      connectionsCheckingInterval: 2_000,
      requireHostHeader: false,
    },
    listener,
  );
  server.on('clientError', answerMalformedRequest);
  // An expectation nobody knows is passed over (RFC 9110 §10.1.1); Node would refuse it without a body.
  server.on('checkExpectation', listener);
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

async function shutDown(servers: Server[], options: ServerOptions): Promise<void> {
  const cutOff = setTimeout(() => {
    for (const server of servers) server.closeAllConnections();
  }, drainMilliseconds);
  await Promise.all(servers.map(close));
  clearTimeout(cutOff);
  await options.dispose();
}

function close(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeIdleConnections();
  });
}
