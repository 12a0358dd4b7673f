import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectSql } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { makeTask } from '#tests/support/factories.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { documentedCommands, runCommands } from './backup/documented-commands.ts';
import {
  findInstalledPrograms,
  makeServerFolder,
  runPostgresProgram,
  startInstalledPostgres,
} from './backup/installed-postgres.ts';
import { readAnswers, startServices, useService } from './backup/service-in-use.ts';

const programs = findInstalledPrograms() ?? '';
const testWithPostgres = testWithProgram('PostgreSQL with its programs', programs !== '');

const searched = [programs, path.join(projectFolder, 'node_modules/.bin')];

testWithPostgres('the documented commands restore a dump on an empty server', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dump-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const run = (commands: string, given: Record<string, string>) =>
    runCommands(commands, { programs: searched, variables: given });
  const variables = { DUMP: path.join(folder, 'service.dump') };
  const [dump = '', restore = '', ...others] = documentedCommands('backup.md', 'A dump');
  t.deepEqual(others, []);

  const first = await startInstalledPostgres(t, programs);
  await migrateDatabase(first.url);
  const before = await startServices(t, first.url);
  const clients = await useService(before);
  const answers = await readAnswers(before, clients);
  await run(dump, { ...variables, DATABASE_URL: first.url });
  await makeTask(before.client(clients.token));
  await before.close();

  const second = await startInstalledPostgres(t, programs);
  const restored = databaseUrlOn(second.url, 'service');
  await run(restore, { ...variables, SERVER_URL: second.url, DATABASE_URL: restored });
  const after = await startServices(t, restored);
  t.deepEqual(await readAnswers(after, clients), answers);
  await makeTask(after.client(clients.token));
});

testWithPostgres(
  'a base backup and the archived log restore the service to the time before a mistake',
  async (t) => {
    const [archive, data] = [makeServerFolder(t), makeServerFolder(t)];
    const server = await startInstalledPostgres(t, programs, {
      settings: { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
    });
    const database = connectSql(server.url);
    await migrateDatabase(server.url);
    runPostgresProgram(
      programs,
      'pg_basebackup',
      '--dbname',
      server.url,
      '--pgdata',
      data,
      '--checkpoint=fast',
    );

    const before = await startServices(t, server.url);
    const clients = await useService(before);
    const answers = await readAnswers(before, clients);
    await database.run(`select pg_create_restore_point('before_the_mistake')`);
    await database.run('delete from tasks.task');
    const [last] = await database.sql<{ file: string }>`select pg_walfile_name(pg_switch_wal()) as file`;
    const isArchived = async () => {
      const [row] = await database.sql<{
        file: string | null;
      }>`select last_archived_wal as file from pg_stat_archiver`;
      return (row?.file ?? '') >= (last?.file ?? '');
    };
    await waitFor(isArchived, { timeoutMilliseconds: 30_000, what: 'the write-ahead log to be archived' });
    await before.close();
    await database.close();
    await server.stop();

    writeFileSync(path.join(data, 'recovery.signal'), '', { mode: 0o644 });
    const restored = await startInstalledPostgres(t, programs, {
      data,
      settings: {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: 'before_the_mistake',
        recovery_target_action: 'promote',
        // Otherwise it accepts reads before it has reached the target.
        hot_standby: 'off',
      },
    });
    const after = await startServices(t, restored.url);
    t.deepEqual(await readAnswers(after, clients), answers);
    const task = await makeTask(after.client(clients.token));
    const [entry] = await after.sql<{ entity_id: string; sequence: string; entries: string }>`
    select entity_id, sequence, (select count(*) from tasks.feed_entry where account_id = ${clients.accountId}) as entries
    from tasks.feed_entry where account_id = ${clients.accountId} order by sequence desc limit 1`;
    t.is(entry?.entity_id, task.id);
    t.is(entry?.sequence, entry?.entries);
  },
);
