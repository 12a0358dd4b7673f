import { execFileSync } from 'node:child_process';
import { existsSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { readRunningInstance } from '#local/running-instance.ts';
import { type ActivityPage, type AppSessionToken, appApiPath } from '#shared/app/app-protocol.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { createPageBrowser } from '../support/page-browser.ts';
import { testRedisUrl } from '../support/test-environment.ts';
import {
  accountIn,
  commandsOf,
  familyOf,
  firstStart,
  type LocalStart,
  startLocally,
  temporaryDataDirectory,
  waitForEnd,
} from './local-start.ts';

const parts = ['auth-server', 'resource-api', 'Redis', 'PostgreSQL'];

const owned = new AsyncDisposableStack();
/** A data directory with an account and its tasks: the tests start the service there again, one after the other. */
const used = makeUsedDirectory();
// Each test awaits it and fails by its reason.
used.catch(() => undefined);
test.after.always(() => owned.disposeAsync());

async function makeUsedDirectory() {
  const owner = { teardown: (after: () => void | Promise<void>) => void owned.defer(async () => after()) };
  const dataDirectory = temporaryDataDirectory(owner);
  const start = await firstStart(owner, { dataDirectory });
  const samples = await titles(start, start.account.token);
  await start.stop();
  return { dataDirectory, account: start.account, samples };
}

type Page = { items: { title: string }[] };

async function get(start: LocalStart, apiPath: string, token: string): Promise<Response> {
  return await fetch(`${start.baseUrl}/api/public/v1${apiPath}`, {
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

/** Who changed what, newest first, as the app shows it to the owner. */
async function readActivity({ baseUrl }: LocalStart, owner: { email: string; password: string }) {
  const browser = createPageBrowser(baseUrl);
  await browser.signIn(owner);
  const headers = { 'content-type': 'application/json', 'sec-fetch-mode': 'cors', origin: baseUrl };
  const answer = await browser.post('/app/session/token', '{}', headers);
  const { accessToken }: AppSessionToken = JSON.parse(answer.markup);
  const authorization = { Authorization: `Bearer ${accessToken}` };
  const page = await fetch(`${baseUrl}${appApiPath}/activity`, { headers: authorization });
  const { entries }: ActivityPage = JSON.parse(await page.text());
  return entries.map(({ actor, changes }) => [actor.name, new Set(changes.map(({ id }) => id)).size]);
}

function runInShell(command: string): string {
  return execFileSync('bash', ['-c', command], { encoding: 'utf8' });
}

test.serial(
  'the first start makes an account, what it prints to be typed works, and Ctrl-C leaves no process',
  async (t) => {
    const dataDirectory = temporaryDataDirectory(t, "somebody's data");
    const start = await firstStart(t, { dataDirectory, by: 'npm' });
    const { token, password } = start.account;
    const shown = (name: string) => new RegExp(`^ +${name} +(.*)$`, 'm').exec(start.output())?.[1] ?? '';

    const page: Page = JSON.parse(runInShell(/^ +(curl .*)$/m.exec(start.output())?.[1] ?? ''));
    t.true(page.items.length > 0);
    t.deepEqual(await titles(start, token), (await used).samples);
    t.is((await fetch(shown('API docs'))).status, 200);
    t.is((await fetch(shown('The app'))).status, 200);
    const { secret }: { secret: string } = JSON.parse(runInShell(shown('New token')));
    t.is((await get(start, '/me', secret)).status, 200);
    const [newest] = await readActivity(start, start.account);
    t.deepEqual(newest, ['Claude', 4]);
    t.is(await addTask(start, token, 'By hand'), 201);
    t.deepEqual((await readActivity(start, start.account)).slice(0, 2), [['First token', 1], newest]);
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
    t.is(await addTask(first, token, 'Added before the restart'), 201);
    const before = await titles(first, token);
    await first.stop();
    t.is(readRunningInstance(dataDirectory), undefined);

    const second = await startLocally(t, { dataDirectory });
    await second.ready();
    t.deepEqual(await titles(second, token), before);
    t.is(accountIn(second.output()), undefined);
    t.false(second.output().includes(token));
    t.is(readRunningInstance(dataDirectory)?.baseUrl, second.baseUrl);

    const sameData = await startLocally(t, { dataDirectory });
    t.is(await sameData.ended, 1);
    t.regex(sameData.output(), new RegExp(`^It is already running at ${second.baseUrl} .*\n$`));

    const port = Number(new URL(second.baseUrl).port);
    const samePort = await startLocally(t, { dataDirectory: temporaryDataDirectory(t), port });
    t.is(await samePort.ended, 1);
    t.regex(samePort.output(), /^Port \d+ is already in use: .*\n$/);
    t.is((await get(second, '/me', token)).status, 200);
  },
);

test.serial(
  'when one of its parts is killed, all is stopped with a sentence why, and nothing is lost',
  async (t) => {
    const { dataDirectory, account } = await used;
    let start = await startLocally(t, { dataDirectory });
    await start.ready();
    for (const part of parts) {
      t.is(await addTask(start, account.token, `Added before ${part} was killed`), 201);
      const family = familyOf(start.pid);
      process.kill(start.pidOf(part), 'SIGKILL');
      t.is(await start.ended, 1, part);
      t.true(start.output().includes(`\n${part} was killed by SIGKILL, so everything is stopped.\n`));
      await waitForEnd(family);
      start = await startLocally(t, { dataDirectory });
      await start.ready();
      t.true((await titles(start, account.token)).includes(`Added before ${part} was killed`));
    }
  },
);

test.serial('a start that is killed leaves no process, and its data can be used again', async (t) => {
  const { dataDirectory, account } = await used;
  const killed = await startLocally(t, { dataDirectory });
  await killed.ready();
  const before = await titles(killed, account.token);
  const family = familyOf(killed.pid);
  killed.process.kill('SIGKILL');
  const next = await startLocally(t, { dataDirectory });
  await next.ready();
  t.deepEqual(await titles(next, account.token), before);
  await waitForEnd(family);
});

test.serial(
  'npm start that is killed leaves no process; a damaged note of what runs is no obstacle',
  async (t) => {
    const { dataDirectory } = await used;
    writeFileSync(path.join(dataDirectory, 'runtime.json'), '{"pid": ');
    const start = await startLocally(t, { dataDirectory, by: 'npm' });
    await start.ready();
    const family = familyOf(start.pid);
    start.process.kill('SIGKILL');
    await Promise.all([start.ended, waitForEnd(family)]);
    t.true(start.output().endsWith('stopped\n'));
  },
);

test.serial('a start whose secret is lost says so at once, and can go on without it', async (t) => {
  const { dataDirectory, account } = await used;
  rmSync(path.join(dataDirectory, 'key-encryption-secret'));
  const stopped = await startLocally(t, { dataDirectory });
  t.is(await stopped.ended, 1);
  t.deepEqual(stopped.output().split('\n').slice(0, 3), [
    `${dataDirectory}/key-encryption-secret is missing, and nothing else opens the signing keys in the database.`,
    'Put it back, or set KEY_ENCRYPTION_SECRET to what it held.',
    'If it is lost: npm start -- --new-signing-keys, which loses nothing else.',
  ]);
  const next = await startLocally(t, { dataDirectory, parameters: ['--new-signing-keys'] });
  await next.ready();
  t.is((await get(next, '/me', account.token)).status, 200);
  await next.stop();
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
    killed.process.kill('SIGKILL');
    const next = await firstStart(t, { dataDirectory });
    t.deepEqual(await titles(next, next.account.token), (await used).samples);
  });
}

test.serial(
  'two instances run side by side, each with its own data and Redis, whatever TLS other databases need',
  async (t) => {
    const { dataDirectory, account } = await used;
    const one = await startLocally(t, { dataDirectory });
    const other = await firstStart(t, {
      dataDirectory: temporaryDataDirectory(t),
      environment: { EMBEDDED_REDIS: 'js', PGSSLMODE: 'verify-full' },
    });
    await one.ready();
    t.is(await addTask(one, account.token, 'Only here'), 201);
    t.false((await titles(other, other.account.token)).includes('Only here'));
    t.is((await get(other, '/me', account.token)).status, 401);
    t.regex(other.output(), /^ +Redis +js-redis-server /m);
    t.true(commandsOf(familyOf(other.pid)).some((command) => command.includes('js-redis-process')));
  },
);

test.serial('stores named by the environment are used, and none is embedded', async (t) => {
  const database = await createFreshDatabase({ migrated: false });
  t.teardown(database.drop);
  const environment = { DATABASE_URL: database.url, REDIS_URL: testRedisUrl() };
  const start = await firstStart(t, { dataDirectory: temporaryDataDirectory(t), environment });
  t.deepEqual(await titles(start, start.account.token), (await used).samples);
  t.false(commandsOf(familyOf(start.pid)).some((command) => /postgres|redis/.test(command)));
});
