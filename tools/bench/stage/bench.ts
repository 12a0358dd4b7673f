import { randomBytes } from 'node:crypto';
import { mkdirSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '#shared/config/read-env.ts';
import { imageEnvironment } from '#tests/deploy/image/dockerfile.ts';
import type { MeasureOptions } from '../measure/interleave.ts';
import { type Client, createClients } from './clients.ts';
import { createPopulatedWorld, grownPopulation } from './grown-worlds.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { type Stores, withConnection } from './stores.ts';
import { fillTasks } from './task-rows.ts';

/** What the cases of one run share. */
export type Bench = MeasureOptions & {
  stores: Stores;
  /** For whatever a case has to write down; removed at the end. */
  directory: string;
  isQuick: boolean;
  /** Of the bench itself, for programs that want the PATH. */
  environment: Environment;
  /** Made when it is first asked for. */
  world(): Promise<World>;
  /** A database as large as it may get, likewise. */
  grownWorld(): Promise<World>;
  startService(service: ServiceStart): Promise<ServerProcess>;
  startReference(
    name: 'bare-server' | 'entity-server' | 'memory-provider',
    databaseUrl: string,
  ): Promise<ServerProcess>;
  /** What servers have logged as a warning or worse, the last lines. */
  complaints(): string[];
};

/** A database of accounts with a thousand tasks each. */
export type World = { databaseUrl: string; clients: readonly Client[]; accountIds: readonly string[] };

export type ServiceStart = {
  service: 'resource-api' | 'auth-server';
  databaseUrl: string;
  redisUrl?: string;
  /** A file to run as it is, in place of the image's program. */
  script?: string;
  /** Leaves a part out, as `serve-variant.ts` does. */
  variant?: 'without-authentication' | 'without-limits';
  /** Its own address is the public one: browsers are sent there. */
  isPublic?: boolean;
  environment?: Environment;
  nodeArguments?: readonly string[];
};

export type BenchOptions = MeasureOptions & {
  stores: Stores;
  directory: string;
  isQuick: boolean;
  environment: Environment;
};

/** The public address that services are told; nothing listens there. */
export const serviceBaseUrl = 'http://127.0.0.1:8080';

const worldShape = { accounts: 32, tokensPerAccount: 250, tasks: 1_000 };

const shownComplaints = 5;

export function createBench(options: BenchOptions): Bench {
  const { stores, directory } = options;
  const logs = path.join(directory, 'logs');
  mkdirSync(logs, { recursive: true });
  // The services are measured as they are delivered.
  const image = imageEnvironment();
  const keyEncryptionSecret = randomBytes(32).toString('base64url');
  let started = 0;
  let world: Promise<World> | undefined;
  let grownWorld: Promise<World> | undefined;
  const logFile = (name: string): string => {
    started += 1;
    return path.join(logs, `${started}-${name}.log`);
  };
  const bench: Bench = {
    ...options,
    world() {
      world ??= createWorld(stores);
      return world;
    },
    grownWorld() {
      grownWorld ??= createPopulatedWorld(bench, 'grown', grownPopulation(bench));
      return grownWorld;
    },
    async startService({ service, script, variant, isPublic = false, nodeArguments = [], ...options }) {
      const program = variant === undefined ? 'deploy/container/run.ts' : 'tools/bench/serve-variant.ts';
      return await startServer({
        script: script ?? program,
        environment: (port) => ({
          ...image,
          BASE_URL: isPublic ? `http://127.0.0.1:${port}` : serviceBaseUrl,
          DATABASE_URL: options.databaseUrl,
          REDIS_URL: options.redisUrl ?? stores.redisUrl,
          KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
          // A store that is late on a busy machine is not away: what a request does must not depend on it.
          DATABASE_WAIT_MILLISECONDS: '20000',
          REDIS_WAIT_MILLISECONDS: '10000',
          ...options.environment,
        }),
        nodeArguments,
        scriptArguments: () => (script === undefined ? [variant ?? service] : []),
        logFile: logFile(service),
      });
    },
    startReference: (name, databaseUrl) =>
      startServer({
        script: `bench/references/${name}.ts`,
        scriptArguments: (port) => [String(port), databaseUrl],
        environment: () => ({}),
        logFile: logFile(name),
      }),
    complaints: () =>
      readdirSync(logs)
        .flatMap((name) => readFileSync(path.join(logs, name), 'utf8').split('\n'))
        .filter((line) => line !== '' && !/^\{"level":[123]0,/.test(line))
        .slice(-shownComplaints),
  };
  return bench;
}

async function createWorld(stores: Stores): Promise<World> {
  const databaseUrl = await stores.createDatabase('world');
  return withConnection(databaseUrl, async (connection) => {
    const clients = await createClients(connection, worldShape);
    const accountIds = [...new Set(clients.map(({ accountId }) => accountId))];
    await fillTasks(connection, { accountIds, tasks: worldShape.tasks });
    await connection.run('vacuum analyze');
    return { databaseUrl, clients, accountIds };
  });
}
