import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { readRunningInstance } from '#local/running-instance.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { testRedisUrl } from '../support/test-environment.ts';
import { waitFor } from '../support/wait-for.ts';
import { accountIn, accountOf, firstStart, makeUsedDirectory } from './first-start.ts';
import {
  commandsOf,
  familyOf,
  type LocalStart,
  startLocally,
  temporaryDataDirectory,
  waitForEnd,
} from './local-start.ts';

const parts = ['auth-server', 'resource-api', 'Redis', 'PostgreSQL'];
const sampleCount = 10;

const owned = new AsyncDisposableStack();
/** For the tests that a first start is not the subject of: one after the other they start the service there again. */
const used = makeUsedDirectory({ teardown: (after) => void owned.defer(async () => after()) });
// Each test awaits it and fails by its reason.
used.catch(() => undefined);
test.after.always(() => owned.disposeAsync());

type Page = { items: { title: string }[] };

function signInAddressIn(start: LocalStart): string | undefined {
  return /^ +Sign in +(\S+)$/m.exec(start.output())?.[1];
}

async function get(start: LocalStart, path: string, token: string): Promise<Response> {
  return await fetch(`${start.baseUrl}/api/public/v1${path}`, {
    headers: { Authorization: `Bearer ${token}` },
  });
}

async function titles(start: LocalStart, token: string): Promise<string[]> {
  const response = await get(start, '/tasks?view=all&limit=200', token);
  const page: Page = JSON.parse(await response.text());
  return page.items.map(({ title }) => title).toSorted();
}

async function addTask(start: LocalStart, token: string, title: string): Promise<number> {
  const response = await fetch(`${start.baseUrl}/api/public/v1/tasks`, {
    method: 'POST',
    headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
    body: JSON.stringify({ title }),
  });
  return response.status;
}

test.serial(
  'the first start makes an account; what it prints to be typed elsewhere works; Ctrl-C leaves no process',
  async (t) => {
    const dataDirectory = temporaryDataDirectory(t, "somebody's data");
    const start = await firstStart(t, { dataDirectory, by: 'npm' });
    const { token, password } = start.account;

    const request = /^ +(curl .*)$/m.exec(start.output())?.[1] ?? '';
    const page: Page = JSON.parse(execFileSync('bash', ['-c', request], { encoding: 'utf8' }));
    t.true(page.items.length > 0);
    t.is((await titles(start, token)).length, sampleCount);
    const docs = /^ +API docs +(\S+)$/m.exec(start.output())?.[1] ?? '';
    t.is((await fetch(docs)).status, 200);
    t.is(signInAddressIn(start), `${start.baseUrl}/sign-in`);
    const command = /^ +New token +(.*)$/m.exec(start.output())?.[1] ?? '';
    const answer: { secret: string } = JSON.parse(
      execFileSync('bash', ['-c', command], { encoding: 'utf8' }),
    );
    t.is((await get(start, '/me', answer.secret)).status, 200);

    const log = start.output().replace(/An account was made for you[\s\S]*/, '');
    t.false(log.includes(token) || log.includes(password));

    const family = familyOf(start.pid);
    t.true(parts.every((part) => family.includes(start.pidOf(part))));
    // Ctrl-C signals the whole group of the terminal, and npm passes the signal on once more.
    process.kill(-start.pid, 'SIGINT');
    t.is(await start.ended, 0);
    t.true(start.output().endsWith('stopped\n'));
    await waitForEnd(family);
  },
);

test.serial(
  'a later start keeps the data, shows no secret, and has its directory and port to itself',
  async (t) => {
    const { dataDirectory, account } = await used;
    const { token } = account;
    const first = await startLocally(t, { dataDirectory });
    await first.ready();
    t.is(accountIn(first.output()), undefined);
    t.is(await addTask(first, token, 'Added before the restart'), 201);
    const before = await titles(first, token);
    first.process.kill('SIGTERM');
    t.is(await first.ended, 0);
    t.is(readRunningInstance(dataDirectory), undefined);

    const second = await startLocally(t, { dataDirectory });
    await second.ready();
    t.deepEqual(await titles(second, token), before);
    t.is(accountIn(second.output()), undefined);
    t.is(signInAddressIn(second), `${second.baseUrl}/sign-in`);
    t.false(second.output().includes(token));
    t.is(readRunningInstance(dataDirectory)?.baseUrl, second.baseUrl);

    const sameData = await startLocally(t, { dataDirectory });
    t.is(await sameData.ended, 1);
    t.regex(sameData.output(), new RegExp(`^It is already running at ${second.baseUrl} .*\n$`));

    const samePort = await startLocally(t, {
      dataDirectory: temporaryDataDirectory(t),
      port: Number(new URL(second.baseUrl).port),
    });
    t.is(await samePort.ended, 1);
    t.regex(samePort.output(), /^Port \d+ is already in use: .*\n$/);
    t.is((await get(second, '/me', token)).status, 200);
  },
);

test.serial('every part that is killed comes back, and nothing is lost', async (t) => {
  const { dataDirectory, account } = await used;
  const { token } = account;
  const start = await startLocally(t, { dataDirectory });
  await start.ready();
  const before = await titles(start, token);
  for (const part of parts) {
    const killed = start.pidOf(part);
    process.kill(killed, 'SIGKILL');
    await waitFor(() => start.pidOf(part) !== killed, {
      timeoutMilliseconds: 60_000,
      what: `another ${part}`,
    });
    await waitFor(async () => (await get(start, '/me', token)).status === 200, {
      timeoutMilliseconds: 30_000,
      what: `an answer after ${part} was killed`,
    });
    t.is(await addTask(start, token, `Added after ${part} was killed`), 201);
    t.is((await fetch(`${start.baseUrl}/oauth/jwks`)).status, 200);
  }
  const added = parts.map((part) => `Added after ${part} was killed`);
  t.deepEqual(await titles(start, token), [...before, ...added].toSorted());
});

test.serial(
  'a launcher that is killed leaves no process, and its data can be used again, a damaged file too',
  async (t) => {
    const { dataDirectory, account } = await used;
    const { token } = account;
    const killed = await startLocally(t, { dataDirectory });
    await killed.ready();
    const before = await titles(killed, token);
    const family = familyOf(killed.pid);
    killed.process.kill('SIGKILL');
    await waitForEnd(family);
    t.is(readRunningInstance(dataDirectory), undefined);

    writeFileSync(path.join(dataDirectory, 'runtime.json'), '{"pid": ');
    const next = await startLocally(t, { dataDirectory });
    await next.ready();
    t.deepEqual(await titles(next, token), before);
  },
);

test.serial('npm start that is killed leaves no process', async (t) => {
  const { dataDirectory } = await used;
  const start = await startLocally(t, { dataDirectory, by: 'npm' });
  await start.ready();
  const family = familyOf(start.pid);
  start.process.kill('SIGKILL');
  await Promise.all([start.ended, waitForEnd(family)]);
  t.true(start.output().endsWith('stopped\n'));
});

test.serial('a start whose secret is lost says so at once, and can go on without it', async (t) => {
  const { dataDirectory, account } = await used;
  rmSync(path.join(dataDirectory, 'key-encryption-secret'));
  const stopped = await startLocally(t, { dataDirectory });
  t.is(await stopped.ended, 1);
  const [lost, restore, goOn] = stopped.output().split('\n');
  t.is(
    lost,
    `${dataDirectory}/key-encryption-secret is missing, and nothing else opens the signing keys in the database.`,
  );
  t.is(restore, 'Put it back, or set KEY_ENCRYPTION_SECRET to what it held.');
  t.regex(goOn ?? '', /^If it is lost: npm start -- --new-signing-keys, /);

  const next = await startLocally(t, { dataDirectory, parameters: ['--new-signing-keys'] });
  await next.ready();
  t.is((await get(next, '/me', account.token)).status, 200);
  next.process.kill('SIGTERM');
  t.is(await next.ended, 0);
  const later = await startLocally(t, { dataDirectory });
  await later.ready();
});

test.serial('an argument that the start does not know is refused before anything is started', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  const start = await startLocally(t, { dataDirectory, parameters: ['--port=80'] });
  t.is(await start.ended, 2);
  t.regex(start.output(), /^unknown argument «--port=80»; .*\n$/);
  t.false(existsSync(dataDirectory));
});

for (const moment of ['Creating the database cluster', 'Creating a local account', 'Creating sample tasks']) {
  test.serial(`a first start killed while «${moment}» is finished by the next`, async (t) => {
    const dataDirectory = temporaryDataDirectory(t);
    const killed = await startLocally(t, { dataDirectory });
    await killed.waitForOutput(new RegExp(moment));
    const family = familyOf(killed.pid);
    killed.process.kill('SIGKILL');
    await waitForEnd(family);

    const next = await firstStart(t, { dataDirectory });
    const all = await titles(next, next.account.token);
    t.is(all.length, sampleCount);
    t.is(new Set(all).size, sampleCount);
  });
}

test.serial(
  'two instances run side by side, each with its own data and kind of Redis, whatever TLS other databases need',
  async (t) => {
    const { dataDirectory, account } = await used;
    const [one, other] = await Promise.all([
      startLocally(t, { dataDirectory }),
      firstStart(t, {
        dataDirectory: temporaryDataDirectory(t),
        environment: { EMBEDDED_REDIS: 'js', PGSSLMODE: 'verify-full' },
      }),
    ]);
    await one.ready();
    t.is(await addTask(one, account.token, 'Only here'), 201);
    t.true((await titles(one, account.token)).includes('Only here'));
    t.false((await titles(other, other.account.token)).includes('Only here'));
    t.is((await get(other, '/me', account.token)).status, 401);
    t.regex(other.output(), /^ +Redis +js-redis-server /m);
    t.true(commandsOf(familyOf(other.pid)).some((command) => command.includes('js-redis-process')));
  },
);

test.serial('stores named by the environment are used, and none is embedded', async (t) => {
  const database = await createFreshDatabase({ migrated: false });
  t.teardown(database.drop);
  const start = await startLocally(t, {
    dataDirectory: temporaryDataDirectory(t),
    environment: { DATABASE_URL: database.url, REDIS_URL: testRedisUrl() },
  });
  await start.waitForOutput(/An account was made for you[\s\S]*curl .*\n/);
  t.is((await titles(start, accountOf(start).token)).length, sampleCount);
  t.false(commandsOf(familyOf(start.pid)).some((command) => /postgres|redis/.test(command)));
});

test.serial('every fault of the environment is named at once, before anything is started', async (t) => {
  const start = await startLocally(t, {
    dataDirectory: temporaryDataDirectory(t),
    port: await findFreePort(),
    environment: { PORT: '0', BASE_URL: 'tasks.example', EMBEDDED_REDIS: 'maybe', LOG_LEVEL: 'loud' },
  });
  t.is(await start.ended, 1);
  for (const name of ['PORT', 'BASE_URL', 'EMBEDDED_REDIS', 'LOG_LEVEL'])
    t.regex(start.output(), new RegExp(`- ${name} must`));
});
