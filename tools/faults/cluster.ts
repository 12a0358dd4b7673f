import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import { openPathGateway } from '#local/path-gateway.ts';
import type { Environment } from '#shared/config/read-env.ts';
import type { ServiceName } from '#shared/http/path-ownership.ts';
import { isHaproxyInstalled, startGateway } from '#tests/deploy/gateway/run-gateway.ts';
import { throughPort } from '#tests/support/behind-proxy.ts';
import { type FaultProxy, openFaultProxy } from '#tests/support/fault-proxy.ts';
import { createReplica, type Replica } from './replica.ts';
import { MissingProgramError } from './scenario.ts';
import { type DatabaseServer, type RedisServer, startDatabaseServer, startRedisServer } from './stores.ts';

type ClusterOptions = {
  /** 2 unless given. */
  replicas?: number;
  services?: readonly ServiceName[];
  /** HAProxy as Compose has it in front of all replicas. Otherwise API clients connect to the replicas. */
  behindHaproxy?: boolean;
  /** Lets resource-api reach the store through a proxy that can break the connection. */
  proxied?: 'database' | 'redis';
  /** `js`: the Redis that npm brings, whatever is installed. */
  redisKind?: 'auto' | 'js';
  /** Further environment variables of the services. */
  environment?: Readonly<Record<string, string>>;
};

/** Stores and services as real processes, as they would run in production but for the one machine. */
export type Cluster = AsyncDisposable & {
  baseUrl: string;
  database: DatabaseServer;
  redis: RedisServer;
  replicas: Readonly<Record<ServiceName, readonly Replica[]>>;
  /** Where clients of the API go: haproxy, or each replica. */
  apiUrls: readonly string[];
  keyEncryptionSecret: string;
  /** Throws an Error when nothing is proxied. */
  proxy(): FaultProxy;
  unexpectedEnds(): number;
};

/** Throws MissingProgramError when haproxy is wanted and is not here. */
export async function startCluster(options: ClusterOptions = {}): Promise<Cluster> {
  if (options.behindHaproxy && !isHaproxyInstalled)
    throw new MissingProgramError('haproxy is not installed here');
  await using starting = new AsyncDisposableStack();
  const cluster = await assemble(options, starting);
  const parts = starting.move();
  return { ...cluster, [Symbol.asyncDispose]: () => parts.disposeAsync() };
}

async function assemble(
  options: ClusterOptions,
  parts: AsyncDisposableStack,
): Promise<Omit<Cluster, typeof Symbol.asyncDispose>> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'cluster-'));
  parts.defer(() => rmSync(directory, { recursive: true, force: true }));
  // Beside the directory, not below it: that is private, and PostgreSQL may run as another user.
  const database = await startDatabaseServer(`${directory}-postgres`);
  parts.defer(database.close);
  const redis = await startRedisServer(options.redisKind);
  parts.defer(redis.stop);
  const proxy = await openProxy(options.proxied, database, redis);
  if (proxy !== undefined) parts.defer(proxy.close);

  const frontPort = await findFreePort();
  const keyEncryptionSecret = randomBytes(32).toString('base64url');
  const environmentOf = (service: ServiceName): Environment => ({
    BASE_URL: `http://127.0.0.1:${frontPort}`,
    DATABASE_URL: urlThrough(service, database.url, options.proxied === 'database' ? proxy : undefined),
    REDIS_URL: urlThrough(service, redis.url, options.proxied === 'redis' ? proxy : undefined),
    KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
    ADDRESS_LIMIT_EXEMPT: '127.0.0.0/8',
    LOG_LEVEL: 'warn',
    // As `npm start` sets it: a replica that is started again finds its modules compiled.
    NODE_COMPILE_CACHE: path.join(directory, 'compiled-modules'),
    ...options.environment,
  });
  const logs = process.env.FAULTS_LOG_DIRECTORY ?? directory;
  const open = async (service: ServiceName): Promise<Replica[]> => {
    if (!(options.services ?? ['auth-server', 'resource-api']).includes(service)) return [];
    const opened: Replica[] = [];
    for (let index = 0; index < (options.replicas ?? 2); index += 1) {
      const replica = createReplica({
        service,
        port: await findFreePort(),
        managementPort: await findFreePort(),
        environment: environmentOf(service),
        logFile: path.join(logs, `${service}-${index}.log`),
      });
      parts.defer(async () => {
        if (replica.isRunning()) await replica.end('SIGKILL');
      });
      await replica.start();
      opened.push(replica);
    }
    return opened;
  };
  const replicas = { 'auth-server': await open('auth-server'), 'resource-api': await open('resource-api') };
  const all = Object.values(replicas).flat();
  const baseUrl = `http://127.0.0.1:${frontPort}`;
  if (options.behindHaproxy) await startGateway(parts, replicas, frontPort);
  else parts.defer((await openGateway(frontPort, replicas)).close);
  return {
    baseUrl,
    database,
    redis,
    replicas,
    keyEncryptionSecret,
    apiUrls: options.behindHaproxy ? [baseUrl] : replicas['resource-api'].map(({ url }) => url),
    proxy() {
      if (proxy === undefined) throw new Error('nothing of this cluster is proxied');
      return proxy;
    },
    unexpectedEnds: () => all.reduce((sum, replica) => sum + replica.unexpectedEnds(), 0),
  };
}

function openGateway(port: number, replicas: Cluster['replicas']) {
  return openPathGateway({
    port,
    host: '127.0.0.1',
    portOf: (name) => replicas[name].find((replica) => replica.isRunning())?.port,
  });
}

async function openProxy(
  proxied: ClusterOptions['proxied'],
  database: DatabaseServer,
  redis: RedisServer,
): Promise<FaultProxy | undefined> {
  if (proxied === undefined) return undefined;
  return openFaultProxy({ port: (proxied === 'database' ? database : redis).port });
}

function urlThrough(service: ServiceName, storeUrl: string, proxy: FaultProxy | undefined): string {
  if (proxy === undefined || service !== 'resource-api') return storeUrl;
  return throughPort(storeUrl, proxy.port);
}
