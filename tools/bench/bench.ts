import { randomBytes } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import path from 'node:path';
import type { SqlConnection } from '#tests/support/connect-sql.ts';
import { type Client, createClients } from './clients.ts';
import { type ServerProcess, startServer } from './server-process.ts';
import { type Stores, withConnection } from './stores.ts';
import { fillTasks } from './task-rows.ts';

/** Shared by the cases of a run. */
export type Bench = {
  stores: Stores;
  shape: Shape;
  isQuick: boolean;
  /** For the cases' files; removed at the end. */
  directory: string;
  signal: AbortSignal;
  report(line: string): void;
  /** 32 accounts with a thousand tasks each; made when it is first asked for. */
  world(): Promise<World>;
  startService(start: ServiceStart): Promise<ServerProcess>;
};

export type Shape = {
  /** How often the measured process is started anew. */
  starts: number;
  roundsPerStart: number;
  blockMilliseconds: number;
  /** Code that has run a few thousand times is compiled; before, it takes several times as long. */
  warmUpRequests: number;
  longestWarmUpMilliseconds: number;
};

export type World = { databaseUrl: string; clients: readonly Client[]; accountIds: readonly string[] };

type ServiceStart = {
  service: 'resource-api' | 'auth-server';
  databaseUrl: string;
  /** Its own address is the public one, which browsers are redirected to. */
  isPublic?: boolean;
  environment?: Readonly<Record<string, string>>;
};

/** The public address that services are given; nothing listens there. */
export const serviceBaseUrl = 'http://127.0.0.1:8080';

/** As deploy/Dockerfile sets them. */
const imageEnvironment = {
  NODE_ENV: 'production',
  NODE_OPTIONS: '--max-old-space-size=256 --max-semi-space-size=8',
  MALLOC_TRIM_THRESHOLD_: '131072',
};

export function createBench(options: Omit<Bench, 'world' | 'startService'>): Bench {
  const { stores, directory } = options;
  const logs = path.join(directory, 'logs');
  mkdirSync(logs, { recursive: true });
  const keyEncryptionSecret = randomBytes(32).toString('base64url');
  let started = 0;
  let world: Promise<World> | undefined;
  return {
    ...options,
    world() {
      world ??= createWorld(stores, 'world', { accounts: 32, tokensPerAccount: 250, tasks: 1_000 });
      return world;
    },
    startService({ service, databaseUrl, isPublic = false, environment }) {
      started += 1;
      return startServer({
        script: 'deploy/container/run.ts',
        environment: (port) => ({
          ...imageEnvironment,
          BASE_URL: isPublic ? `http://127.0.0.1:${port}` : serviceBaseUrl,
          DATABASE_URL: databaseUrl,
          REDIS_URL: stores.redisUrl,
          KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
          // A store that is slow on a busy machine is not unavailable.
          DATABASE_WAIT_MILLISECONDS: '20000',
          ...environment,
        }),
        scriptArguments: () => [service],
        logFile: path.join(logs, `${started}-${service}.log`),
      });
    },
  };
}

type WorldShape = { accounts: number; tokensPerAccount: number; tasks: number };

/** `addMore` fills further tables before statistics are gathered. */
export async function createWorld(
  stores: Stores,
  name: string,
  { tasks, ...shape }: WorldShape,
  addMore: (connection: SqlConnection) => Promise<void> = async () => undefined,
): Promise<World> {
  const databaseUrl = await stores.createDatabase(name);
  return withConnection(databaseUrl, async (connection) => {
    const clients = await createClients(connection, shape);
    const accountIds = [...new Set(clients.map(({ accountId }) => accountId))];
    await fillTasks(connection, { accountIds, tasks });
    await addMore(connection);
    await connection.run('vacuum analyze');
    await connection.run('checkpoint');
    return { databaseUrl, clients, accountIds };
  });
}
