import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { dumpDatabase, restoreDump } from './backup/dump.ts';
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

    const first = await startInstalledPostgres(t, programs);
    await migrateDatabase(first);
    const before = await startServices(t, first);
    const callers = await useService(before);
    const answers = await readAnswers(before, callers);
    await dumpDatabase(programs, first, dump);
    await makeTask(before.client(callers.token));
    await before.close();

    const second = await startInstalledPostgres(t, programs);
    const after = await startServices(t, await restoreDump(programs, dump, second));
    t.deepEqual(await readAnswers(after, callers), answers);
    await makeTask(after.client(callers.token));
  });
