import { type EmbeddedPostgres, startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { connectSql, type Sql } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { freezeProcesses, withChildren } from './freeze-processes.ts';

/** How PostgreSQL is asked to end: sessions cut and everything written, or at once with a recovery at the next start. */
export type RestartMode = 'fast' | 'immediate';

/** A PostgreSQL of the scenario's own, with production's settings: what is committed is on disk. */
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

const database = 'service';
const stopSignals = { fast: 'SIGINT', immediate: 'SIGQUIT' } as const;

/** Throws what PostgreSQL says when it can't start. */
export async function startDatabaseServer(directory: string): Promise<DatabaseServer> {
  let server: EmbeddedPostgres = await startEmbeddedPostgres({ directory });
  const { port } = server;
  const urlOf = (name: string): string => databaseUrlOn(server.url, name);
  const url = urlOf(database);
  const query: DatabaseServer['query'] = async (work) => {
    const connection = connectSql(url);
    try {
      return await work(connection.sql);
    } finally {
      await connection.close();
    }
  };
  const createDatabase = async (name: string): Promise<string> => {
    const connection = connectSql(server.url);
    try {
      await connection.run(`create database ${name}`);
    } finally {
      await connection.close();
    }
    return urlOf(name);
  };
  const close = async (): Promise<void> => {
    await server.stop();
    removeEmbeddedPostgres(directory);
  };
  try {
    await migrateDatabase(await createDatabase(database));
  } catch (error) {
    await close();
    throw error;
  }
  return {
    port,
    url,
    createDatabase,
    query,
    close,
    async restart(mode) {
      process.kill(server.pid, stopSignals[mode]);
      await server.ended;
      server = await startEmbeddedPostgres({ directory, port });
    },
    freeze: (milliseconds) => freezeProcesses(withChildren(server.pid), milliseconds),
  };
}
