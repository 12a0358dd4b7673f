import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { connectSql } from './connect-sql.ts';
import { templateDatabaseName } from './test-environment.ts';

/** Migrates the database that fresh ones are copied from, once for a whole run. */
export async function createTemplateDatabase(serverUrl: string): Promise<void> {
  const server = connectSql(serverUrl);
  try {
    await server.run(`create database ${templateDatabaseName}`);
    const url = new URL(serverUrl);
    url.pathname = `/${templateDatabaseName}`;
    await migrateDatabase(url.href);
    // A database someone is connected to can't be copied; from here on nobody can be.
    await server.run(`alter database ${templateDatabaseName} with allow_connections false`);
  } finally {
    await server.close();
  }
}
