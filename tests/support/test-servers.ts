import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import os from 'node:os';
import path from 'node:path';
import { startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { startEmbeddedRedis } from '#local/embedded-redis.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { connectSql, type SqlConnection } from './connect-sql.ts';
import { databaseUrlOn } from './database-url.ts';
import { templateDatabaseName, testVariables } from './test-environment.ts';

/** Migrates the database that fresh ones are copied from, once for a whole run. */
async function createTemplateDatabase(serverUrl: string): Promise<void> {
  await onServer(serverUrl, async ({ run }) => {
    await run(`create database ${templateDatabaseName}`);
    await migrateDatabase(databaseUrlOn(serverUrl, templateDatabaseName));
    await closeTemplate(run);
  });
}

/** A database with connections can't be copied, so connections are refused from now on. */
function closeTemplate(run: SqlConnection['run']): Promise<void> {
  return run(`alter database ${templateDatabaseName} with allow_connections false`);
}

async function onServer(serverUrl: string, work: (server: SqlConnection) => Promise<void>): Promise<void> {
  const server = connectSql(serverUrl);
  try {
    await work(server);
  } finally {
    await server.close();
  }
}

export type TestServers = {
  /** Variables for the test processes. */
  environment: Record<string, string>;
  /** The Redis that runs: 'valkey-server', 'redis-server', or 'js'. */
  redisKind: string;
  stop(): Promise<void>;
};

type TestServersOptions = {
  redisKind: 'auto' | 'js';
  /** Aborts the start and stops what was started. */
  signal: AbortSignal;
};

/** Nothing outlives the run, so nothing is synced to disk. */
const settings = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '300',
};

/** PostgreSQL with the migrated template, and Redis; both end with this process whatever ends it. */
export async function startTestServers({ redisKind, signal }: TestServersOptions): Promise<TestServers> {
  // Right below the directory of temporary files: the account that PostgreSQL runs as can reach it there.
  const directory = path.join(os.tmpdir(), `test-postgres-${randomUUID()}`);
  const [postgres, redis] = await Promise.allSettled([
    startEmbeddedPostgres({ directory, settings }),
    startEmbeddedRedis({ kind: redisKind }),
  ]);
  const stop = async () => {
    await Promise.all([stopStarted(postgres), stopStarted(redis)]);
    removeEmbeddedPostgres(directory);
  };
  try {
    if (postgres.status === 'rejected') throw postgres.reason;
    if (redis.status === 'rejected') throw redis.reason;
    signal.throwIfAborted();
    await Promise.race([createTemplateDatabase(postgres.value.url), rejectWhenAborted(signal)]);
    return {
      environment: {
        [testVariables.databaseUrl]: postgres.value.url,
        [testVariables.redisUrl]: redis.value.url,
      },
      redisKind: redis.value.kind,
      stop,
    };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function rejectWhenAborted(signal: AbortSignal): Promise<never> {
  await once(signal, 'abort');
  throw signal.reason;
}

async function stopStarted(server: PromiseSettledResult<{ stop(): Promise<void> }>): Promise<void> {
  if (server.status === 'fulfilled') await server.value.stop();
}
