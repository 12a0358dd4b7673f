import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeTask } from '#tests/support/factories.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { documentedCommands, runCommands } from './backup/documented-commands.ts';
import { findInstalledPrograms } from './backup/installed-postgres.ts';
import { readAnswers, startServices, useService } from './backup/service-in-use.ts';
import { type ComposeDatabase, startComposeDatabase } from './compose/compose-database.ts';
import { type MadeSecrets, makeSecrets } from './compose/compose-file.ts';

const programs = findInstalledPrograms() ?? '';
const testWithPostgres = testWithProgram('PostgreSQL with its programs', programs !== '');

/** Stands for Docker: runs what is to run in the container of PostgreSQL, and nothing else. */
const docker = `#!/bin/sh
[ "$1 $2 $3 $4" = 'compose exec -T postgres' ] || exit 0
shift 4
exec "$@"
`;

/** Runs documented commands where PostgreSQL's container is this server. */
function openMachine(t: ExecutionContext, secrets: MadeSecrets) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'machine-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'docker'), docker, { mode: 0o755 });
  mkdirSync(path.join(folder, 'deploy'));
  symlinkSync(path.dirname(secrets.folder), path.join(folder, 'deploy/compose'));
  return (commands: string, { host, port }: ComposeDatabase) =>
    runCommands(commands, {
      programs: [folder, programs],
      folder,
      variables: { PGHOST: host, PGPORT: port, DUMP: path.join(folder, 'tasks.dump') },
    });
}

testWithPostgres(
  'the commands for Docker Compose restore a dump on another machine and in place',
  async (t) => {
    const secrets = makeSecrets();
    t.teardown(secrets.remove);
    const run = openMachine(t, secrets);
    const [dump = '', restore = '', ...others] = documentedCommands('backup.md', 'Docker Compose');
    t.deepEqual(others, []);
    const first = await startComposeDatabase(t, programs, secrets);
    await migrateDatabase(first.urlOf('migrator-database-url'));
    const before = await startServices(t, first.urlOf('migrator-database-url'));
    const callers = await useService(before);
    const answers = await readAnswers(before, callers);
    await run(dump, first);
    await makeTask(before.client(callers.token));
    await before.close();

    for (const database of [first, await startComposeDatabase(t, programs, secrets)]) {
      await run(restore, database);
      const url = database.urlOf('migrator-database-url');
      t.deepEqual(await migrateDatabase(url), []);
      const after = await startServices(t, url);
      t.deepEqual(await readAnswers(after, callers), answers);
      await makeTask(after.client(callers.token));
      await after.close();
      const api = connectSql(database.urlOf('resource-api-database-url'));
      await t.throwsAsync(api.run('set role auth_server'), { message: /permission denied/ });
      await t.throwsAsync(api.run('create schema own'), { message: /permission denied/ });
      await api.close();
    }
  },
);

testWithPostgres('the commands for Docker Compose give a login another password', async (t) => {
  const secrets = makeSecrets();
  t.teardown(secrets.remove);
  const run = openMachine(t, secrets);
  const database = await startComposeDatabase(t, programs, secrets);
  const before = database.urlOf('resource-api-database-url');
  const [change = ''] = documentedCommands('operating.md', 'Secrets');
  await run(change, database);
  const after = database.urlOf('resource-api-database-url');
  t.not(after, before);
  t.is(new URL(after).username, new URL(before).username);
  const access = connectSql(after);
  await access.run('set role resource_api');
  await access.close();
  const refused = connectSql(before);
  await t.throwsAsync(refused.run('select 1'), { message: /password authentication failed/ });
  await refused.close();
});
