import { mkdtemp, rm } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { type MigrationList, migrate as migrateSchema } from '#shared/database/migrate.ts';
import { openProxiedDatabase } from '#tests/stores/store-proxies.ts';
import { connectAsRole } from '#tests/support/connect-as-role.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { runProgram, startProgram } from './run-program.ts';

const everything = [
  ...authMigrations.map(({ name }) => `auth/${name}`),
  ...taskMigrations.map(({ name }) => `tasks/${name}`),
];

/** A cluster without the services' roles: they belong to a whole cluster, so the tests' one has them. */
async function startCluster(t: ExecutionContext) {
  const home = await mkdtemp(path.join(os.tmpdir(), 'migrate-test-'));
  const directory = path.join(home, 'postgres');
  const postgres = await startEmbeddedPostgres({ directory, settings: { fsync: 'off' } });
  const server = connectSql(postgres.url);
  t.teardown(async () => {
    await server.close();
    await postgres.stop();
    removeEmbeddedPostgres(directory);
    await rm(home, { recursive: true, force: true });
  });
  const urlOf = (database: string, login?: string) => {
    const url = new URL(databaseUrlOn(postgres.url, database));
    if (login !== undefined) url.username = login;
    if (login !== undefined) url.password = 'password';
    return url.href;
  };
  return { run: server.run, urlOf };
}

async function migrate(env: Record<string, string>) {
  return runProgram('deploy/admin/migrate.ts', [], env);
}

test('migrating names each migration it applied, and nothing the second time', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
  const env = { DATABASE_URL: databaseUrl };
  t.deepEqual(await migrate(env), {
    exitCode: 0,
    stdout: `${everything.map((name) => `applied ${name}\n`).join('')}the database is up to date\n`,
    stderr: '',
  });
  t.deepEqual(await migrate(env), { exitCode: 0, stdout: 'the database was up to date\n', stderr: '' });
});

test('migrators started at once on one database apply each migration once', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
  const applied = await Promise.all([1, 2, 3, 4].map(() => migrateDatabase(databaseUrl)));
  t.deepEqual(applied.flat().sort(), everything);
});

test('a login without the right to create roles gets the SQL to run, and can then migrate', async (t) => {
  const { run, urlOf } = await startCluster(t);
  await run(`create role "plain login" login password 'password'`);
  await run('create database plain');
  const env = { DATABASE_URL: urlOf('plain', 'plain%20login') };
  const refused = await migrate(env);
  t.is(refused.exitCode, 1);
  t.is(refused.stdout, '');
  const [, sql = ''] = refused.stderr.split('run this first: ');
  t.is(
    sql.trim(),
    'create role auth_server nologin; create role resource_api nologin; ' +
      'grant auth_server, resource_api to "plain login";',
  );

  await run('create role auth_server nologin');
  t.regex(
    (await migrate(env)).stderr,
    /first: create role resource_api nologin; grant auth_server, resource_api to/,
  );
  await run('create role resource_api nologin');
  await run('grant auth_server, resource_api to "plain login"');
  t.regex((await migrate(env)).stderr, /^migrating failed: permission denied for database plain\n$/);
  await run('grant create on database plain to "plain login"');
  t.is((await migrate(env)).exitCode, 0);
});

/** `migrate` as a program that has been started; it is ended with the test. */
function startMigrating(t: ExecutionContext, databaseUrl: string) {
  const lines: string[] = [];
  const program = startProgram('deploy/admin/migrate.ts', [], { DATABASE_URL: databaseUrl }, (text) =>
    lines.push(...text.trim().split('\n')),
  );
  t.teardown(program.stop);
  const says = (beginning: string) =>
    waitFor(() => lines.some((line) => line.startsWith(beginning)), {
      timeoutMilliseconds: 30_000,
      what: `«${beginning}» on its standard error`,
    });
  return { ended: program.ended, says };
}

/** As an earlier release, which had these alone. */
function applyMigrations(url: string, schema: 'auth' | 'tasks', migrations: MigrationList): Promise<void> {
  const role = schema === 'auth' ? 'auth_server' : 'resource_api';
  return migrateSchema({ url, schema, migrations, role, onApplied: () => undefined });
}

test('during a long read of a table its migration waits and logs it, and other reads continue', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
  await applyMigrations(databaseUrl, 'auth', authMigrations.slice(0, 1));
  const longReader = new Client(databaseUrl);
  await longReader.connect();
  t.teardown(() => longReader.end());
  await longReader.query('begin');
  await longReader.query('select id from auth.account');
  const service = await connectAsRole(t, databaseUrl, 'auth_server');
  let isWaiting = true;
  const reading = (async () => {
    while (isWaiting) await service.em.fork().execute('select id from auth.account');
  })();
  // Where it fails meanwhile, the await below says so.
  reading.catch(() => undefined);

  const migrating = startMigrating(t, databaseUrl);
  const reason = 'another transaction holds a table that is to be changed (55P03)';
  for (const seconds of [1, 2]) await migrating.says(`waiting: ${reason}; trying again in ${seconds} s`);
  isWaiting = false;
  await t.notThrowsAsync(reading);
  await t.throwsAsync(migrateDatabase(databaseUrl), {
    message: `${reason}; given up after 0 s`,
  });

  await longReader.query('commit');
  const { exitCode, stdout } = await migrating.ended;
  t.is(exitCode, 0);
  const rest = everything.slice(1).map((name) => `applied ${name}\n`);
  t.is(stdout, `${rest.join('')}the database is up to date\n`);
});

test('while a migration waits for one table, what those before it changed can be read', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
  const newer = taskMigrations.findIndex(({ name }) => name === '0006-places-and-stamps');
  await applyMigrations(databaseUrl, 'auth', authMigrations);
  await applyMigrations(databaseUrl, 'tasks', taskMigrations.slice(0, newer));
  const writer = new Client(databaseUrl);
  await writer.connect();
  t.teardown(() => writer.end());
  await writer.query('begin');
  await writer.query('lock table auth.account in row exclusive mode');

  const { sql, close } = connectSql(databaseUrl);
  t.teardown(close);
  const migrating = startMigrating(t, databaseUrl);
  const findWaiting = async () => {
    const [waiting] = await sql<{ blocked: string[] }>`
      select array(select relation::regclass::text from pg_locks held
        where held.pid = waiting.pid and held.database = waiting.database and mode = 'AccessExclusiveLock'
          and relation in ('tasks.task'::regclass, 'tasks.account_feed'::regclass)) as blocked
      from pg_locks waiting join pg_database on pg_database.oid = database and datname = current_database()
      where relation = 'auth.account'::regclass and not granted`;
    return waiting;
  };
  const what = 'a migration to wait for the accounts';
  t.deepEqual(await waitFor(findWaiting, { timeoutMilliseconds: 60_000, what }), { blocked: [] });

  await writer.query('commit');
  const { exitCode, stdout } = await migrating.ended;
  t.is(exitCode, 0);
  const rest = taskMigrations.slice(newer).map(({ name }) => `applied tasks/${name}\n`);
  t.is(stdout, `${rest.join('')}the database is up to date\n`);
});

test('migrating waits for an unavailable server', async (t) => {
  await t.throwsAsync(migrateDatabase('postgres://nobody@127.0.0.1:9/none'), {
    message: "the database can't be reached (ECONNREFUSED); given up after 0 s",
  });
  const { proxy, url } = await openProxiedDatabase(t);
  proxy.setMode('refuse');
  const migrating = startMigrating(t, url);
  await migrating.says("waiting: the database can't be reached");
  proxy.setMode('pass');
  t.like(await migrating.ended, { exitCode: 0, stdout: 'the database was up to date\n' });
});

test('--help shows usage; unknown arguments are refused before anything is done', async (t) => {
  const env = { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' };
  for (const flag of ['--help', '-h']) {
    const { exitCode, stdout, stderr } = await runProgram('deploy/admin/migrate.ts', [flag], env);
    t.deepEqual({ exitCode, stderr }, { exitCode: 0, stderr: '' });
    t.regex(stdout, /\nUsage: npm run migrate\n/);
  }
  for (const argument of ['--dry-run', 'up']) {
    t.deepEqual(await runProgram('deploy/admin/migrate.ts', [argument], env), {
      exitCode: 1,
      stdout: '',
      stderr: `unknown argument «${argument}»; see npm run migrate -- --help\n`,
    });
  }
});
