import path from 'node:path';
import { startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { startEmbeddedRedis } from '#local/embedded-redis.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { connectSql, type SqlConnection } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { cores, familyOf, pinProcess } from '../processes.ts';

/** PostgreSQL with production's settings (commits are on disk) and Redis, apart from the servers' core. */
export type Stores = AsyncDisposable & {
  postgresPid: number;
  redisPid: number;
  redisUrl: string;
  /** A migrated database; its URL, of a superuser. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
};

const cancelStatements = `select pg_cancel_backend(pid) from pg_stat_activity
  where backend_type = 'client backend' and state = 'active' and pid <> pg_backend_pid()`;

/** When the signal is aborted whatever runs in PostgreSQL is cancelled. */
export async function startStores(directory: string, signal: AbortSignal): Promise<Stores> {
  await using parts = new AsyncDisposableStack();
  const home = path.join(directory, 'postgres');
  parts.defer(() => removeEmbeddedPostgres(home));
  const postgres = await startEmbeddedPostgres({ directory: home });
  parts.defer(postgres.stop);
  const redis = await startEmbeddedRedis();
  parts.defer(redis.stop);
  for (const pid of [...familyOf(postgres.pid), redis.pid]) pinProcess(pid, cores.others);
  const run = (statement: string) => withConnection(postgres.url, (connection) => connection.run(statement));
  // Filling a database takes minutes, by several statements: each is cancelled until the caller has noticed.
  let cancelling: NodeJS.Timeout | undefined;
  const cancel = (): void => {
    cancelling ??= setInterval(() => void run(cancelStatements).catch(() => undefined), 200);
  };
  signal.addEventListener('abort', cancel);
  parts.defer(() => {
    signal.removeEventListener('abort', cancel);
    clearInterval(cancelling);
  });
  const kept = parts.move();
  return {
    postgresPid: postgres.pid,
    redisPid: redis.pid,
    redisUrl: redis.url,
    async createDatabase(name) {
      await run(`create database ${name}`);
      const url = databaseUrlOn(postgres.url, name);
      await migrateDatabase(url);
      return url;
    },
    async dropDatabase(name) {
      if (!signal.aborted) await run(`drop database if exists ${name} with (force)`);
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}

export async function withConnection<Result>(
  url: string,
  work: (connection: SqlConnection) => Promise<Result>,
): Promise<Result> {
  const connection = connectSql(url);
  try {
    return await work(connection);
  } finally {
    await connection.close();
  }
}
