import path from 'node:path';
import { type EmbeddedPostgres, startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { type EmbeddedRedis, startEmbeddedRedis } from '#local/embedded-redis.ts';
import { removeEmbeddedPostgres } from '#local/postgres-home.ts';
import { connectSql, type SqlConnection } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { cores, pinProcess } from '../measure/pin-process.ts';
import { familyOf } from '../measure/process-time.ts';

/** A PostgreSQL with production's settings (what is committed is on disk) and a Redis, apart from the servers' core. */
export type Stores = AsyncDisposable & {
  postgresPid: number;
  redisPid: number;
  redisUrl: string;
  redisKind: string;
  /** A migrated database; its URL, of a superuser. */
  createDatabase(name: string): Promise<string>;
  dropDatabase(name: string): Promise<void>;
};

export async function startStores(directory: string): Promise<Stores> {
  await using parts = new AsyncDisposableStack();
  const home = path.join(directory, 'postgres');
  parts.defer(() => removeEmbeddedPostgres(home));
  const postgres: EmbeddedPostgres = await startEmbeddedPostgres({ directory: home });
  parts.defer(postgres.stop);
  const redis: EmbeddedRedis = await startEmbeddedRedis();
  parts.defer(redis.stop);
  for (const pid of [...familyOf(postgres.pid), redis.pid]) pinProcess(pid, cores.others);
  const run = (statement: string) => withConnection(postgres.url, (connection) => connection.run(statement));
  const kept = parts.move();
  return {
    postgresPid: postgres.pid,
    redisPid: redis.pid,
    redisUrl: redis.url,
    redisKind: redis.kind,
    async createDatabase(name) {
      await run(`create database ${name}`);
      const url = databaseUrlOn(postgres.url, name);
      await migrateDatabase(url);
      return url;
    },
    dropDatabase: (name) => run(`drop database if exists ${name} with (force)`),
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
