import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { readConfig } from '#auth-server/config/config.ts';
import { createContext } from '#auth-server/context.ts';
import { writeRunningInstance } from '#local/running-instance.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { runAdminHere, startAdmin } from './run-admin.ts';

const keyEncryptionSecret = 'the signing keys of a test are worth nothing';

/** The first keys, as auth-server makes them when it starts. */
async function makeFirstKeys(databaseUrl: string): Promise<void> {
  const env = {
    BASE_URL: 'https://tasks.example.com',
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    KEY_ENCRYPTION_SECRET: keyEncryptionSecret,
    PORT: '1',
    MANAGEMENT_PORT: '1',
    LOG_LEVEL: 'silent',
  };
  const context = await createContext(readConfig(env));
  await context.signingKeys.reload();
  await context.close();
}

/** A process that looks like an `npm start` on this data. */
async function pretendToRun(t: ExecutionContext, dataDirectory: string, databaseUrl: string) {
  const code = 'process.stdin.resume()';
  const child = spawn(process.execPath, ['-e', code, 'deploy/local/start.ts'], {
    stdio: ['pipe', 'ignore', 'ignore'],
  });
  const ended = once(child, 'exit');
  t.teardown(() => void child.stdin.end());
  const instance = { baseUrl: 'http://localhost', redisUrl: 'redis://nowhere', databaseUrl };
  const settings = { ACCOUNT_DELETION_DAYS: '0' };
  writeRunningInstance(dataDirectory, { pid: child.pid ?? 0, ...instance, keyEncryptionSecret }, settings);
  return async () => {
    child.stdin.end();
    await ended;
  };
}

test('a running instance in DATA_DIR is found with its secret and settings, a stopped one not', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  await makeFirstKeys(databaseUrl);
  const directory = await mkdtemp(path.join(os.tmpdir(), 'admin-test-'));
  t.teardown(() => rm(directory, { recursive: true, force: true }));
  const end = await pretendToRun(t, directory, databaseUrl);
  const env = { DATA_DIR: directory };
  const create = ['account', 'create', '--email', 'ada@example.com'];
  t.is((await runAdminHere(create, env)).stderr, '');
  t.is((await runAdminHere(['keys', 'rotate', '--now'], env)).stderr, '');
  const deleted = await runAdminHere(['account', 'delete', '--email', 'ada@example.com'], env);
  t.true(new Date(JSON.parse(deleted.stdout).eraseAfter) <= new Date(), 'after its ACCOUNT_DELETION_DAYS');
  const elsewhere = { ...env, DATABASE_URL: await freshDatabaseUrl(t) };
  t.regex((await runAdminHere(['keys', 'replace'], elsewhere)).stderr, /^KEY_ENCRYPTION_SECRET must be set/);
  const copy = `${directory}-copy`;
  await cp(directory, copy, { recursive: true });
  t.teardown(() => rm(copy, { recursive: true, force: true }));
  const ofCopy = await runAdminHere(create, { DATA_DIR: copy });
  t.regex(ofCopy.stderr, /^no running instance found in DATA_DIR /, 'the original is not changed by a copy');

  await end();
  const none =
    `no running instance found in DATA_DIR (${directory}); ` +
    'start it with npm start or set DATABASE_URL\n';
  const show = ['account', 'show', '--email', 'ada@example.com'];
  t.is((await runAdminHere(show, env)).stderr, none);
  await writeFile(path.join(directory, 'runtime.json'), '{"pid": ');
  t.is((await runAdminHere(show, env)).stderr, none);
  t.is((await runAdminHere(show, { ...env, DATABASE_URL: databaseUrl })).stderr, '');
});

test('keys are rotated with the services’ secret and no other', async (t) => {
  const admin = await startAdmin(t);
  const { DATABASE_URL } = admin.env;
  const rotate = (secret?: string) =>
    runAdminHere(['keys', 'rotate'], {
      ...admin.env,
      DATA_DIR: '/nonexistent',
      ...(secret !== undefined && { KEY_ENCRYPTION_SECRET: secret }),
    });
  t.is((await rotate()).stderr, 'KEY_ENCRYPTION_SECRET must be set, to the one of the services\n');
  t.is(
    (await rotate(keyEncryptionSecret)).stderr,
    'there are no signing keys yet: auth-server makes the first ones when it starts\n',
  );

  await makeFirstKeys(DATABASE_URL ?? '');
  for (const command of ['rotate', 'replace']) {
    const env = { ...admin.env, KEY_ENCRYPTION_SECRET: 'short' };
    t.regex((await runAdminHere(['keys', command], env)).stderr, /must have at least 32 characters\n$/);
  }
  const wrong = await rotate('not the secret that the keys were encrypted with');
  t.is(wrong.exitCode, 1);
  t.is(
    wrong.stderr,
    'KEY_ENCRYPTION_SECRET is not the secret that the signing keys in the database were encrypted with\n',
  );

  const early = /^caches of \/oauth\/jwks may lack the next key for another \d+ s: wait, or give --now\n$/;
  t.regex((await rotate(keyEncryptionSecret)).stderr, early);
  await admin.sql`update auth.signing_key set created_at = created_at - interval '311 s'
    where state = 'next'`;
  const rotated = await rotate(keyEncryptionSecret);
  t.is(rotated.stderr, '');
  const answer: Record<string, string> = JSON.parse(rotated.stdout);
  const rows = await admin.sql<{ key_id: string; state: string }>`select key_id, state from auth.signing_key`;
  t.deepEqual(Object.fromEntries(rows.map(({ state, key_id: keyId }) => [`${state}KeyId`, keyId])), answer);
});

test('an unavailable database and one without migrations are errors', async (t) => {
  const show = ['account', 'show', '--email', 'ada@example.com'];
  const away = await runAdminHere(show, { DATABASE_URL: 'postgres://nobody@127.0.0.1:9/none' });
  t.deepEqual(away, { exitCode: 1, stdout: '', stderr: "the database can't be reached (ECONNREFUSED)\n" });
  const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
  const missing = await runAdminHere(show, { DATABASE_URL: `${databaseUrl}_missing` });
  t.is(missing.stderr, 'PostgreSQL has no database of that name (3D000)\n');
  const empty = await runAdminHere(show, { DATABASE_URL: databaseUrl });
  t.deepEqual(empty, {
    exitCode: 1,
    stdout: '',
    stderr: 'the database is not migrated; run npm run migrate first\n',
  });
  const readOnly = await startAdmin(t);
  const name = new URL(readOnly.env.DATABASE_URL ?? '').pathname.slice(1);
  const database = connectSql(readOnly.env.DATABASE_URL ?? '');
  t.teardown(database.close);
  await database.run(`alter database ${name} set default_transaction_read_only = on`);
  const create = await readOnly.fail('account', 'create', '--email', 'ada@example.com');
  t.is(create, 'PostgreSQL is read-only (25006)');
});

test('a command that waits in vain for what another transaction holds says so', async (t) => {
  const admin = await startAdmin(t);
  const holder = new Client({ connectionString: admin.env.DATABASE_URL });
  await holder.connect();
  t.teardown(() => holder.end());
  await holder.query('begin');
  await holder.query('lock table auth.account in access exclusive mode');
  const show = await admin.fail('account', 'show', '--email', 'ada@example.com');
  t.is(show, 'the database is busy, as during a migration (55P03); try again');
  await holder.query('rollback');
  await holder.query('begin');
  await holder.query('lock table jobs.job in access exclusive mode');
  await admin.ask('account', 'create', '--email', 'ada@example.com');
  const deletion = await admin.fail('account', 'delete', '--email', 'ada@example.com');
  t.is(deletion, "the database can't be reached (PostgreSQL did not respond in 7000 ms)");
});
