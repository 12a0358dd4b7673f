import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { dumpDatabase, restoreDump, restoredDatabaseName } from '#tests/deploy/backup/dump.ts';
import { findInstalledPrograms, startInstalledPostgres } from '#tests/deploy/backup/installed-postgres.ts';
import { runSuite, say } from '#tests/support/run-suite.ts';
import { makeTemplateOf, removeTemplateDatabase } from '#tests/support/template-database.ts';
import { testVariables } from '#tests/support/test-environment.ts';
import type { TestServers } from '#tests/support/test-servers.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { RehearsalRefused } from './rehearsal-refused.ts';
import { emptyTables, filledTables } from './table-rows.ts';
import { findAsItWas, useServiceOnce } from './used-service.ts';

/**
 * Runs the tests over copies of a database that was dumped and restored. Answers ava's exit code. Throws
 * RehearsalRefused where PostgreSQL's programs are not installed.
 */
export async function rehearseRestore(files: readonly string[], interruption: AbortSignal): Promise<number> {
  const programs = findInstalledPrograms();
  if (programs === undefined) throw new RehearsalRefused('PostgreSQL’s programs are not installed');
  const prepare = (servers: TestServers) => restoreTemplate(programs, servers);
  return runSuite({ folder: projectFolder, arguments: files, prepare }, interruption);
}

async function restoreTemplate(programs: string, { environment }: TestServers): Promise<void> {
  const serverUrl = environment[testVariables.databaseUrl] ?? '';
  const redisUrl = environment[testVariables.redisUrl] ?? '';
  await using parts = new AsyncDisposableStack();
  const owner = { teardown: (end: () => Promise<void>) => parts.defer(end) };
  const folder = parts.adopt(mkdtempSync(path.join(os.tmpdir(), 'rehearsal-')), (made) =>
    rmSync(made, { recursive: true }),
  );
  const dump = path.join(folder, 'service.dump');

  const databaseUrl = await startInstalledPostgres(owner, programs);
  await migrateDatabase(databaseUrl);
  const filledByMigrations = await filledTables(databaseUrl);
  const left = await useServiceOnce(owner, { databaseUrl, redisUrl });
  await dumpDatabase(programs, databaseUrl, dump);
  say(`A service in use is dumped, by the commands of docs/backup.md (${programs}).`);

  await removeTemplateDatabase(serverUrl);
  const restored = await restoreDump(programs, dump, serverUrl);
  await findAsItWas(owner, { databaseUrl: restored, redisUrl }, left);
  say('It is restored, and answers as before.');
  // Tests count rows and make the first keys.
  await emptyTables(restored, { except: filledByMigrations });
  await makeTemplateOf(serverUrl, restoredDatabaseName);
}
