import { closeSync, openSync } from 'node:fs';
import test, { type ExecutionContext } from 'ava';
import { Client } from 'pg';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import { openProxiedDatabase } from '#tests/stores/store-proxies.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { testDatabaseServerUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { openPooler } from './pooler.ts';
import { launchService, serviceNames } from './service-process.ts';

/** One without any right. */
async function addLogin(t: ExecutionContext, databaseUrl: string, password: string) {
  const admin = new Client(databaseUrl);
  await admin.connect();
  t.teardown(() => admin.end());
  const login = `login_${process.pid}`;
  await admin.query(`create role ${login} login password '${password}'`);
  t.teardown(async () => {
    await admin.query(`drop role ${login}`);
  });
  return { admin, login };
}

const path = { 'auth-server': '/oauth/jwks', 'resource-api': '/api/public/v1/openapi.json' };

for (const service of serviceNames) {
  test.serial(`${service} started before PostgreSQL waits, says so, and serves when it comes`, async (t) => {
    const { proxy, url } = await openProxiedDatabase(t);
    proxy.setMode('refuse');

    const process = await launchService(t, { service, databaseUrl: url });
    await process.alive();
    const line = await process.logged('waiting for PostgreSQL');
    t.is(line.level, 40);
    t.is(line.reason, `PostgreSQL at 127.0.0.1:${proxy.port} does not respond`);
    t.deepEqual(await process.probe('/readyz'), {
      status: 503,
      body: { status: 'starting', waitingFor: 'PostgreSQL' },
    });
    await t.throwsAsync(fetch(process.root));

    proxy.setMode('pass');
    await process.ready();
    const answer = await fetch(process.root + path[service]);
    t.is(answer.status, 200);
    t.truthy(await process.logged('startup checks passed'));
    t.is(process.log.filter(({ msg }) => msg === 'waiting for PostgreSQL').length, 1);
  });

  test.serial(`${service} waits for its release’s migration, and does not mind newer ones`, async (t) => {
    const databaseUrl = await freshDatabaseUrl(t);
    const schema = service === 'auth-server' ? 'auth' : 'tasks';
    const client = new Client(databaseUrl);
    await client.connect();
    t.teardown(() => client.end());
    const [last] = (await client.query(`select * from ${schema}.schema_migration order by name desc limit 1`))
      .rows;
    await client.query(`delete from ${schema}.schema_migration where name = $1`, [last.name]);
    await client.query(`insert into ${schema}.schema_migration (name) values ('9999-of-the-future')`);

    const process = await launchService(t, { service, databaseUrl });
    const { reason, level } = await process.logged('waiting for migrations');
    t.deepEqual([level, reason], [40, `the migration has not run: ${schema}/${last.name} not applied`]);
    t.deepEqual((await process.probe('/readyz'))?.body, { status: 'starting', waitingFor: 'migrations' });
    await client.query(`insert into ${schema}.schema_migration (name) values ($1)`, [last.name]);
    await process.ready();
  });
}

test.serial('a wrong password is logged as an error without it, and can be mended meanwhile', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const { admin, login } = await addLogin(t, databaseUrl, 'the right one');
  await admin.query(`grant resource_api to ${login}`);
  const url = new URL(databaseUrl);
  url.username = login;
  url.password = 'open-sesame';

  const service = await launchService(t, { service: 'resource-api', databaseUrl: url.href });
  const line = await service.logged('waiting for PostgreSQL');
  t.is(line.level, 50);
  t.regex(String(line.reason), /refuses the password$/);
  t.notRegex(JSON.stringify(service.log), new RegExp(`open-sesame|${login}`));
  await admin.query(`alter role ${login} password 'open-sesame'`);
  await service.ready();
});

test.serial('TLS that the server does not speak is named in the log', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const environment = { PGSSLMODE: 'verify-full' };
  const service = await launchService(t, { service: 'resource-api', databaseUrl, environment });
  const line = await service.logged('waiting for PostgreSQL');
  t.is(line.level, 50);
  t.regex(String(line.reason), / can't be used: .*SSL/);
});

test.serial('a missing database is an error in the log, and no service creates it', async (t) => {
  const { admin, login } = await addLogin(t, testDatabaseServerUrl(), 'password');
  const missing = `missing_${process.pid}`;
  const mayMakeDatabases = databaseUrlOn(testDatabaseServerUrl(), missing);
  const mayNot = Object.assign(new URL(mayMakeDatabases), { username: login, password: 'password' }).href;

  for (const databaseUrl of [mayMakeDatabases, mayNot]) {
    const service = await launchService(t, { service: 'resource-api', databaseUrl });
    const line = await service.logged('waiting for PostgreSQL');
    t.is(line.level, 50);
    t.regex(String(line.reason), / has no database of that name$/);
    service.child.kill('SIGTERM');
    await service.ended;
    const found = await admin.query('select from pg_database where datname = $1', [missing]);
    t.is(found.rowCount, 0);
  }
});

test.serial('with a secret that cannot decrypt the signing keys auth-server is not ready', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const first = await launchService(t, { service: 'auth-server', databaseUrl });
  await first.ready();
  const second = await launchService(t, {
    service: 'auth-server',
    databaseUrl,
    environment: { KEY_ENCRYPTION_SECRET: 'not the secret that the keys were encrypted with' },
  });
  const line = await second.logged('waiting for signing keys');
  t.is(line.level, 50);
  t.regex(String(line.reason), /^KEY_ENCRYPTION_SECRET is not the secret/);
  t.deepEqual((await second.probe('/readyz'))?.body, { status: 'starting', waitingFor: 'signing keys' });
});

test.serial(
  'a pooler that refuses or ignores the settings of a connection is named in the log',
  async (t) => {
    const url = await freshDatabaseUrl(t);
    for (const treats of ['refuses', 'ignores'] as const) {
      const databaseUrl = await openPooler(t, url, treats);
      const service = await launchService(t, { service: 'resource-api', databaseUrl });
      const line = await service.logged('waiting for PostgreSQL');
      t.is(line.level, 50);
      t.regex(String(line.reason), new RegExp(` ${treats} the settings of a connection: see PgBouncer`));
    }
  },
);

const onLinux = process.platform === 'linux' ? test.serial : test.serial.skip;

onLinux('a service whose log is on a full disk, or has no reader, serves and ends', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const full = openSync('/dev/full', 'w');
  t.teardown(() => closeSync(full));
  const unwritten = await launchService(t, { service: 'resource-api', databaseUrl, output: full });
  await unwritten.ready();
  const unread = await launchService(t, { service: 'resource-api', databaseUrl });
  await unread.logged('listening');
  unread.child.stdout?.destroy();
  t.is((await fetch(`${unwritten.root}/api/public/v1/me`)).status, 401);
  for (const { child, ended } of [unwritten, unread]) {
    child.kill('SIGTERM');
    t.deepEqual(await ended, [0, null]);
  }
});

test.serial('SIGTERM during the wait ends the process at once with exit code 0', async (t) => {
  const databaseUrl = 'postgres://nobody@127.0.0.1:9/none';
  const service = await launchService(t, { service: 'resource-api', databaseUrl });
  await service.logged('waiting for PostgreSQL');
  service.child.kill('SIGTERM');
  t.deepEqual(await service.ended, [0, null]);
});

test.serial('without the database the service stays ready and responds 503', async (t) => {
  const { proxy, url } = await openProxiedDatabase(t);
  const service = await launchService(t, { service: 'resource-api', databaseUrl: url });
  await service.ready();
  proxy.setMode('refuse');
  const headers = { Authorization: `Bearer ${mintApiToken()}` };
  const tasks = () => fetch(`${service.root}/api/public/v1/tasks`, { headers });
  await waitFor(async () => (await tasks()).status === 503, { what: 'an answer without a database' });
  t.deepEqual(await service.probe('/readyz'), { status: 200, body: { status: 'ready' } });
  t.deepEqual(await service.probe('/livez'), { status: 200, body: { status: 'alive' } });
});
