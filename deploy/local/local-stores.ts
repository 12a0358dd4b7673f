import { createHash } from 'node:crypto';
import path from 'node:path';
import type { ConsoleOutput } from './console-output.ts';
import { type EmbeddedPostgres, startEmbeddedPostgres } from './embedded-postgres.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from './embedded-redis.ts';
import { keepRunning } from './keep-running.ts';
import type { LocalConfig } from './local-config.ts';
import { hasCluster } from './postgres-home.ts';

export type Store = {
  url: string;
  /** For the summary. */
  description: string;
  stop(): Promise<void>;
};

export type Database = Store & {
  /** Remembers how far the first start on this database came; it goes when an embedded database goes. */
  firstStartFile: string;
};

/** Opens both at the same time; what was opened is stopped with `parts`, also when the other could not be. */
export async function openStores(request: StoreRequest, parts: AsyncDisposableStack) {
  const [database, redis] = await Promise.allSettled([openDatabase(request), openRedis(request)]);
  // In this order, so that PostgreSQL is the last to be stopped.
  if (database.status === 'fulfilled') parts.defer(database.value.stop);
  if (redis.status === 'fulfilled') parts.defer(redis.value.stop);
  if (database.status === 'rejected') throw database.reason;
  if (redis.status === 'rejected') throw redis.reason;
  request.signal.throwIfAborted();
  return { database: database.value, redis: redis.value };
}

/** Whether an earlier start has made an embedded database here. */
export function hasEmbeddedDatabase(config: LocalConfig): boolean {
  return config.databaseUrl === undefined && hasCluster(postgresDirectory(config));
}

function postgresDirectory({ dataDirectory }: LocalConfig): string {
  return path.join(dataDirectory, 'postgres');
}

type StoreRequest = { config: LocalConfig; output: ConsoleOutput; signal: AbortSignal };

/** The database named by the environment, or an embedded one that is kept running at the same address. */
async function openDatabase({ config, output, signal }: StoreRequest): Promise<Database> {
  const { dataDirectory, databaseUrl } = config;
  if (databaseUrl !== undefined) {
    const { host, pathname } = new URL(databaseUrl);
    const name = createHash('sha256').update(`${host}${pathname}`).digest('hex').slice(0, 12);
    return external(databaseUrl, 'DATABASE_URL', path.join(dataDirectory, `first-start-${name}.json`));
  }
  const directory = postgresDirectory(config);
  const kept = await keepRunning<EmbeddedPostgres>(
    {
      name: 'PostgreSQL',
      report: (message) => output.log('warn', message),
      start: async (_signal, previous) => {
        const server = await startEmbeddedPostgres({
          directory,
          port: previous?.port,
          onProgress: output.say,
        });
        output.log('info', `PostgreSQL is running, process ${server.pid}`);
        return server;
      },
    },
    signal,
  );
  const { url, home } = kept.first;
  output.hide(new URL(url).password);
  return {
    url,
    description: home === directory ? 'embedded PostgreSQL' : `embedded PostgreSQL, in ${home}`,
    firstStartFile: path.join(directory, 'first-start.json'),
    stop: kept.stop,
  };
}

/** The Redis named by the environment, or an embedded one that is kept running at the same address. */
async function openRedis({ config, output, signal }: StoreRequest): Promise<Store> {
  if (config.redisUrl !== undefined) return external(config.redisUrl, 'REDIS_URL', '');
  const kept = await keepRunning<EmbeddedRedis>(
    {
      name: 'Redis',
      report: (message) => output.log('warn', message),
      start: async (_signal, previous) => {
        const server = await startEmbeddedRedis({
          kind: config.embeddedRedis,
          ...(previous && { port: previous.port, password: previous.password }),
        });
        output.log('info', `Redis is running (${server.kind}), process ${server.pid}`);
        return server;
      },
    },
    signal,
  );
  const { url, kind, password } = kept.first;
  output.hide(password);
  const description =
    kind === 'js'
      ? 'js-redis-server (in JavaScript, for one machine; a valkey-server or redis-server on PATH is preferred)'
      : `${kind} from PATH, private to this start`;
  return { url, description, stop: kept.stop };
}

function external(url: string, variable: string, firstStartFile: string): Database {
  const { host, pathname } = new URL(url);
  return {
    url,
    description: `${host}${pathname} (${variable})`,
    firstStartFile,
    stop: async () => undefined,
  };
}
