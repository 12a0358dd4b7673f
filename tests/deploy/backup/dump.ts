import { databaseUrlOn } from '#tests/support/database-url.ts';
import { commandsBelow, runCommands } from './documented-commands.ts';

/** What the commands of docs/backup.md call the restored database. */
export const restoredDatabaseName = 'service';

/** Writes a dump of the database to `file`, by the documented commands. */
export async function dumpDatabase(programs: string, databaseUrl: string, file: string): Promise<void> {
  await runCommands(documented().dump, programs, { DUMP: file, DATABASE_URL: databaseUrl });
}

/** Restores it, by the documented commands, into a server that has nothing of the services. The new database's URL. */
export async function restoreDump(programs: string, file: string, serverUrl: string): Promise<string> {
  const restored = databaseUrlOn(serverUrl, restoredDatabaseName);
  const variables = { DUMP: file, SERVER_URL: serverUrl, DATABASE_URL: restored };
  await runCommands(documented().restore, programs, variables);
  return restored;
}

function documented(): { dump: string; restore: string } {
  const [dump, restore, ...others] = commandsBelow('docs/backup.md', 'A dump');
  if (dump !== undefined && restore !== undefined && others.length === 0) return { dump, restore };
  throw new Error('docs/backup.md does not have one block of commands that dumps and one that restores');
}
