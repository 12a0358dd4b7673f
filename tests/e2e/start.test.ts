import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import pg from 'pg';
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

const isLinux = process.platform === 'linux';
const asRoot = isLinux && process.getuid?.() === 0 ? test.serial : test.serial.skip;

function environmentOf(pid: number): Map<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return new Map(entries.map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)]));
}

function accountOf(pid: number): string {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}

const owned = new AsyncDisposableStack();
const owner = { teardown: (after: () => void | Promise<void>) => void owned.defer(async () => after()) };
/** The first start, in a data directory that the tests use one after the other. Each fails by its reason. */
const first = startFirst();
first.catch(() => undefined);
test.after.always(() => owned.disposeAsync());

async function startFirst() {
  const dataDirectory = temporaryDataDirectory(owner, "somebody's data");
  chmodSync(path.dirname(dataDirectory), 0o711);
  const environment = { SMTP_URL: 'smtp://mail:secret@127.0.0.1:1', MAIL_FROM: 'a@example.com' };
  const start = await firstStart(owner, { dataDirectory, environment, by: 'npm' });
  return { start, dataDirectory, account: start.account, samples: await titles(start, start.account.token) };
}

/** What the first start has left. */
async function usedDirectory() {
  const { start, ...used } = await first;
  await start.stop();
  return used;
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

asRoot('each service has its own environment, login and account, and none has more rights', async (t) => {
  const { start } = await first;
  const [auth, api] = [start.pidOf('auth-server'), start.pidOf('resource-api')];
  const [authEnvironment, apiEnvironment] = [environmentOf(auth), environmentOf(api)];
  for (const name of ['KEY_ENCRYPTION_SECRET', 'SMTP_URL', 'MAIL_DIRECTORY']) {
    t.true(authEnvironment.has(name), name);
    t.false(apiEnvironment.has(name), name);
  }
  t.deepEqual(new Set([accountOf(process.pid), accountOf(auth), accountOf(api)]).size, 3);

  for (const [own, foreign, given] of [
    ['auth_server', 'resource_api', authEnvironment],
    ['resource_api', 'auth_server', apiEnvironment],
  ] as const) {
    const client = new pg.Client({ connectionString: given.get('DATABASE_URL') });
    await client.connect();
    const { rows } = await client.query(
      'select current_user as login, rolsuper as is_super from pg_roles where rolname = current_user',
    );
    t.deepEqual(rows, [{ login: `${own}_login`, is_super: false }]);
    await client.query(`set role ${own}`);
    await t.throwsAsync(client.query(`set role ${foreign}`), { message: /permission denied/ });
    await client.end();
  }
});

test.serial(
  'the first start makes an account, what it prints to be typed works, and Ctrl-C leaves no process',
  async (t) => {
    const { start } = await first;
    const { token, password } = start.account;
    const shown = (name: string) => new RegExp(`^ +${name} +(.*)$`, 'm').exec(start.output())?.[1] ?? '';

    const page: Page = JSON.parse(runInShell(/^ +(curl .*)$/m.exec(start.output())?.[1] ?? ''));
    t.true(page.items.length > 0);
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
  'a later start keeps the data, shows no secret, has its directory and port to itself, and runs beside another',
  async (t) => {
    const { dataDirectory, account, samples } = await usedDirectory();
    const { token } = account;
    t.is(readRunningInstance(dataDirectory), undefined);
    const second = await startLocally(t, { dataDirectory });
    await second.ready();
    const kept = await titles(second, token);
    t.true(samples.every((title) => kept.includes(title)));
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

    const other = await firstStart(t, {
      dataDirectory: temporaryDataDirectory(t),
      environment: { EMBEDDED_REDIS: 'js', PGSSLMODE: 'verify-full' },
    });
    t.is(await addTask(second, token, 'Only here'), 201);
    t.false((await titles(other, other.account.token)).includes('Only here'));
    t.is((await get(other, '/me', token)).status, 401);
    t.regex(other.output(), /^ +Redis +js-redis-server /m);
    t.true(commandsOf(familyOf(other.pid)).some((command) => command.includes('js-redis-process')));
  },
);

test.serial(
  'when a part is killed, all is stopped with a sentence why; when all of it is, no process is left: nothing is lost',
  async (t) => {
    const { dataDirectory, account } = await usedDirectory();
    let start = await startLocally(t, { dataDirectory });
    await start.ready();
    for (const part of ['resource-api', 'PostgreSQL', undefined]) {
      t.is(await addTask(start, account.token, `Added before ${part} was killed`), 201);
      const before = await titles(start, account.token);
      const family = familyOf(start.pid);
      process.kill(part === undefined ? start.pid : start.pidOf(part), 'SIGKILL');
      t.is(await start.ended, part === undefined ? 'SIGKILL' : 1, part);
      if (part === undefined) writeFileSync(path.join(dataDirectory, 'runtime.json'), '{"pid": ');
      else t.true(start.output().includes(`\n${part} was killed by SIGKILL, so everything is stopped.\n`));
      start = await startLocally(t, { dataDirectory, by: part === undefined ? 'npm' : 'node' });
      await start.ready();
      t.deepEqual(await titles(start, account.token), before);
      await waitForEnd(family);
    }
    const family = familyOf(start.pid);
    start.process.kill('SIGKILL');
    await Promise.all([start.ended, waitForEnd(family)]);
    t.true(start.output().endsWith('stopped\n'), 'npm itself was killed');
  },
);

test.serial('an argument that the start does not know is refused before anything is started', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  const start = await startLocally(t, { dataDirectory, parameters: ['--port=80'] });
  t.is(await start.ended, 2);
  t.regex(start.output(), /^unknown argument «--port=80»; .*\n$/);
  t.false(existsSync(dataDirectory));
});

test.serial('a first start killed at any of its steps is finished by the next', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  for (const step of ['Creating the database cluster', 'Creating a local account', 'Creating sample tasks']) {
    const killed = await startLocally(t, { dataDirectory });
    await killed.waitForOutput(new RegExp(step));
    killed.process.kill('SIGKILL');
    await killed.ended;
  }
  const next = await firstStart(t, { dataDirectory });
  t.deepEqual(await titles(next, next.account.token), (await first).samples);
});

test.serial('stores named by the environment are used, and none is embedded', async (t) => {
  const database = await createFreshDatabase({ migrated: false });
  t.teardown(database.drop);
  const environment = { DATABASE_URL: database.url, REDIS_URL: testRedisUrl() };
  const start = await firstStart(t, { dataDirectory: temporaryDataDirectory(t), environment });
  t.deepEqual(await titles(start, start.account.token), (await first).samples);
  t.false(commandsOf(familyOf(start.pid)).some((command) => /postgres|redis/.test(command)));
});
