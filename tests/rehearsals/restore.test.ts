import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { connectSql } from '#tests/support/connect-sql.ts';
import { leaseRedisDatabase } from '#tests/support/redis-lease.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { findAsItWas, useServiceOnce } from '#tools/rehearsals/used-service.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { dumpDatabase, restoreDump } from '../deploy/backup/dump.ts';
import { findInstalledPrograms, startInstalledPostgres } from '../deploy/backup/installed-postgres.ts';
import { runRehearsal } from './run-rehearsal.ts';

const programs = findInstalledPrograms() ?? '';
const testWithPostgres = testWithProgram('PostgreSQL with its programs', programs !== '');

testWithPostgres('tests pass over copies of a database that was dumped and restored', async (t) => {
  const files = ['tests/auth/database-rights.test.ts', 'tests/api/areas/area-pages.test.ts'];
  const { exitCode, stdout, stderr } = await runRehearsal(['restore', '--', ...files]);
  t.is(exitCode, 0, stdout + stderr);
  t.true(stdout.includes('\nIt is restored, and answers as before.\n'));
  t.regex(stdout, /\n[1-9]\d* passed, 0 failed\n$/);
});

testWithPostgres('a dump that lacks a right is found out', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'lacking-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const dump = path.join(folder, 'service.dump');
  const redis = await leaseRedisDatabase();
  t.teardown(redis.release);
  const stores = { databaseUrl: await startInstalledPostgres(t, programs), redisUrl: redis.url };
  await migrateDatabase(stores.databaseUrl);
  const left = await useServiceOnce(t, stores);
  const database = connectSql(stores.databaseUrl);
  await database.run('revoke select on auth.signing_key_public from resource_api');
  await database.close();
  await dumpDatabase(programs, stores.databaseUrl, dump);

  const restored = await restoreDump(programs, dump, await startInstalledPostgres(t, programs));
  await t.throwsAsync(findAsItWas(t, { ...stores, databaseUrl: restored }, left), {
    message: /answers otherwise: .*with accessToken/,
  });
});
