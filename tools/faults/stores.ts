import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { startEmbeddedRedis } from '#local/embedded-redis.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { withConnection } from '../bench/stores.ts';
import { familyOf } from '../processes.ts';

/** `fast`: sessions are cut and everything is written; `immediate`: recovery at the next start. */
export type RestartMode = 'fast' | 'immediate';

/** A PostgreSQL with production's settings: what is committed is on disk. */
export type DatabaseServer = {
  port: number;
  /** Of a superuser and the services' database. */
  url: string;
  /** An empty database on the same server; its URL. */
  createDatabase(name: string): Promise<string>;
  /** Opens a connection for these statements alone, so that no restart leaves a broken one behind. */
  query<Result>(work: (sql: Sql) => Promise<Result>): Promise<Result>;
  /** Resolves when connections are accepted again. */
  restart(mode: RestartMode): Promise<void>;
  freeze(milliseconds: number): Promise<void>;
  close(): Promise<void>;
};

const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

export async function startDatabaseServer(directory: string): Promise<DatabaseServer> {
  let server = await startEmbeddedPostgres({ directory });
  const { port } = server;
  const url = databaseUrlOn(server.url, 'service');
  const createDatabase = async (name: string): Promise<string> => {
    await withConnection(server.url, ({ run }) => run(`create database ${name}`));
    return databaseUrlOn(server.url, name);
  };
  const close = async (): Promise<void> => {
    await server.stop();
    removeEmbeddedPostgres(directory);
  };
  try {
    await migrateDatabase(await createDatabase('service'));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port,
    url,
    createDatabase,
    query: (work) => withConnection(url, ({ sql }) => work(sql)),
    close,
    async restart(mode) {
      process.kill(server.pid, stopSignals[mode]);
      await server.ended;
      server = await startEmbeddedPostgres({ directory, port });
    },
    freeze: (milliseconds) => freezeProcesses(familyOf(server.pid), milliseconds),
  };
}

export type RedisServer = {
  port: number;
  url: string;
  stop(): Promise<void>;
  /** Empty, on the same port, with the same password. */
  start(): Promise<void>;
  freeze(milliseconds: number): Promise<void>;
};

export async function startRedisServer(kind: 'auto' | 'js' | undefined): Promise<RedisServer> {
  let server = await startEmbeddedRedis({ kind });
  const { port, password, url } = server;
  return {
    port,
    url,
    stop: () => server.stop(),
    async start() {
      server = await startEmbeddedRedis({ kind, port, password });
    },
    freeze: (milliseconds) => freezeProcesses([server.pid], milliseconds),
  };
}

/** A process of its own wakes them again, whatever becomes of this one. */
const freezeScript = 'kill -STOP "$@" 2>/dev/null; sleep "$SECONDS_FROZEN"; kill -CONT "$@" 2>/dev/null';

async function freezeProcesses(pids: readonly number[], milliseconds: number): Promise<void> {
  const child = spawn('/bin/sh', ['-c', freezeScript, 'freeze', ...pids.map(String)], {
    detached: true,
    env: { PATH: '/usr/bin:/bin', SECONDS_FROZEN: String(milliseconds / 1_000) },
    stdio: 'ignore',
  });
  await once(child, 'exit');
}

/** Holds the locks that writes of these accounts begin with; resolves when they are free again. */
export async function holdAccountLocks(
  { query }: DatabaseServer,
  accountIds: readonly string[],
  milliseconds: number,
): Promise<void> {
  // The locks belong to the session, which ends with the query.
  await query(
    (sql) => sql`
      with held as materialized (
        select pg_advisory_lock(hashtextextended(id, 0))
        from unnest(string_to_array(${accountIds.join(',')}, ',')) id
      )
      select pg_sleep(${milliseconds / 1_000}) from (select count(*) from held) counted`,
  );
}
