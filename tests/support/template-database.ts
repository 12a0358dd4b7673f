import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { connectSql, type SqlConnection } from './connect-sql.ts';
import { databaseUrlOn } from './database-url.ts';
import { templateDatabaseName } from './test-environment.ts';

/** Migrates the database that fresh ones are copied from, once for a whole run. */
export async function createTemplateDatabase(serverUrl: string): Promise<void> {
  await onServer(serverUrl, async ({ run }) => {
    await run(`create database ${templateDatabaseName}`);
    await migrateDatabase(databaseUrlOn(serverUrl, templateDatabaseName));
    await closeTemplate(run);
  });
}

/** A database someone is connected to can't be copied; from here on nobody can be. */
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
