import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { commandsBelow, runCommands } from './backup/documented-commands.ts';
import { findInstalledPrograms, startInstalledPostgres } from './backup/installed-postgres.ts';
import { readAnswers, startServices, useService } from './backup/service-in-use.ts';

const programs = findInstalledPrograms();
const title = 'by the documented commands a dump brings the service up on a server where nothing was';

if (programs === undefined) test.skip(`${title} (PostgreSQL’s programs are not installed)`, () => undefined);
else
  test(title, async (t) => {
    const folder = mkdtempSync(path.join(os.tmpdir(), 'dump-'));
    t.teardown(() => rmSync(folder, { recursive: true }));
    const dump = path.join(folder, 'service.dump');
    const [dumpCommands = '', restoreCommands = '', ...others] = commandsBelow('docs/backup.md', 'A dump');
    t.deepEqual(others, []);

    const first = await startInstalledPostgres(t, programs);
    await migrateDatabase(first);
    const before = await startServices(t, first);
    const callers = await useService(before);
    const answers = await readAnswers(before, callers);
    await runCommands(dumpCommands, programs, { DUMP: dump, DATABASE_URL: first });
    await makeTask(before.client(callers.token));
    await before.close();

    const second = await startInstalledPostgres(t, programs);
    const database = second.replace(/\/postgres$/, '/service');
    await runCommands(restoreCommands, programs, { DUMP: dump, SERVER_URL: second, DATABASE_URL: database });
    const after = await startServices(t, database);
    t.deepEqual(await readAnswers(after, callers), answers);
    await makeTask(after.client(callers.token));
  });
