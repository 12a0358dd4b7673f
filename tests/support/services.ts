import type { RequestListener } from 'node:http';
import type { FetchClientDocument } from '#auth-server/clients/fetch-client-document.ts';
import type { PublicRequestOptions } from '#auth-server/clients/request-public-host.ts';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import { createApp as createResourceApiApp } from '#resource-api/app.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { createContext as createResourceApiContext } from '#resource-api/context.ts';
import type { Environment } from '#shared/config/read-env.ts';
import type { MetricsSource } from '#shared/http/health.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { type CapturedLog, waitForRedis } from './captured-log.ts';
import { type InProcessServer, openInProcessServer } from './in-process-server.ts';
import { type Limits, serviceEnvironment, unlimited } from './service-settings.ts';
import type { TestClock } from './test-clock.ts';

type ServicesOptions = Partial<Limits> & {
  withAuthServer?: boolean;
  environment?: Readonly<Record<string, string>>;
  hostName?: 'localhost' | undefined;
  fetchDocument?: FetchClientDocument;
  publicHosts?: PublicRequestOptions;
  withReminders?: boolean;
  chooseReplica?: ChooseReplica;
  databaseUrl: string;
  redisUrl: string;
  clock: TestClock;
  log: CapturedLog;
  /** Filled with what each service would serve at /metrics; of two replicas, the last one’s. */
  metrics: Map<ServiceName, MetricsSource>;
};

/** Which of the two replicas that run of each service answers the next request. */
export type ChooseReplica = (service: ServiceName) => 0 | 1;

type Service = { app: RequestListener; close(): Promise<void> };
type StartService = (environment: Environment, options: ServicesOptions) => Promise<Service>;

/**
 * Starts both services in this process and returns their address. They are added to `parts`, which closes
 * them.
 */
export async function startServices(options: ServicesOptions, parts: AsyncDisposableStack): Promise<string> {
  const start = options.withAuthServer ? startBehindGateway : startResourceApiAlone;
  return start(options, parts);
}

async function startResourceApiAlone(options: ServicesOptions, parts: AsyncDisposableStack): Promise<string> {
  const server = await openInProcessServer();
  const baseUrl = `http://127.0.0.1:${server.port}`;
  parts.defer(server.close);
  await serve(startResourceApi, server, environmentOf(baseUrl, options), options, parts);
  return baseUrl;
}

async function startBehindGateway(options: ServicesOptions, parts: AsyncDisposableStack): Promise<string> {
  const port = await findFreePort();
  const baseUrl = `http://${options.hostName ?? '127.0.0.1'}:${port}`;
  const environment = environmentOf(baseUrl, options);
  const replicas = options.chooseReplica === undefined ? 1 : 2;
  const open = async (start: StartService): Promise<InProcessServer[]> => {
    const servers = await Promise.all(Array.from({ length: replicas }, openInProcessServer));
    for (const server of servers) parts.defer(server.close);
    for (const server of servers) await serve(start, server, environment, options, parts);
    return servers;
  };
  const servers = {
    'resource-api': await open(startResourceApi),
    'auth-server': await open(startAuthServer),
  };
  const gateway = await openPathGateway({
    port,
    host: '127.0.0.1',
    portOf: (name) => servers[name][options.chooseReplica?.(name) ?? 0]?.port,
  });
  parts.defer(gateway.close);
  return baseUrl;
}

async function serve(
  start: StartService,
  server: InProcessServer,
  environment: Environment,
  options: ServicesOptions,
  parts: AsyncDisposableStack,
): Promise<void> {
  const service = await start(environment, options);
  parts.defer(service.close);
  server.serve(service.app);
}

const startResourceApi: StartService = async (environment, options) => {
  const logger = options.log.loggerFor('resource-api');
  const config = { ...readResourceApiConfig(environment), ...limitsOf(options) };
  const context = await createResourceApiContext(config, { clock: options.clock, logger });
  await context.cursorSecret.load();
  if (options.withReminders) context.backgroundJobs.start();
  options.metrics.set('resource-api', context.metrics.source);
  await waitForRedis(options.log, 'resource-api');
  return { app: createResourceApiApp(context), close: () => context.close() };
};

const startAuthServer: StartService = async (environment, options) => {
  const { createApp, createContext, readConfig } = await loadAuthServer();
  const logger = options.log.loggerFor('auth-server');
  const config = { ...readConfig(environment), ...limitsOf(options) };
  const { clock, fetchDocument, publicHosts } = options;
  const context = await createContext(config, { clock, logger, fetchDocument, publicHosts });
  await context.signingKeys.reload();
  context.mail?.start();
  if (options.withReminders) context.reminders.start();
  options.metrics.set('auth-server', context.metrics.source);
  await waitForRedis(options.log, 'auth-server');
  return { app: createApp(context), close: () => context.close() };
};

/** Loading its modules takes half a second, and most test files do not need it. */
async function loadAuthServer() {
  const [{ createApp }, { createContext }, { readConfig }] = await Promise.all([
    import('#auth-server/app.ts'),
    import('#auth-server/context.ts'),
    import('#auth-server/config/config.ts'),
  ]);
  return { createApp, createContext, readConfig };
}

function limitsOf(options: ServicesOptions): Limits {
  const names = Object.keys(unlimited) as (keyof Limits)[];
  return Object.fromEntries(names.map((name) => [name, options[name] ?? unlimited[name]])) as Limits;
}

function environmentOf(baseUrl: string, options: ServicesOptions): Environment {
  return {
    ...serviceEnvironment(baseUrl, options),
    // Required by the readers; nothing listens there.
    PORT: '1',
    MANAGEMENT_PORT: '1',
    ...options.environment,
  };
}
