import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { readRunningInstance } from '#local/running-instance.ts';
import { type ActivityPage, type AppSessionToken, appApiPath } from '#shared/app/app-protocol.ts';
import { runAdmin } from '#tests/admin/run-admin.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, refreshRequest } from '#tests/oauth/oauth-flow.ts';
import { freshDatabaseUrl } from '../support/fresh-database.ts';
import { createPageBrowser } from '../support/page-browser.ts';
import { testRedisUrl } from '../support/test-environment.ts';
import {
  accountIn,
  commandsOf,
  familyOf,
  firstStart,
  type LocalStart,
  type LocalStartOptions,
  type ShownAccount,
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
/**
 * The first start, killed at any of its steps before, in a data directory that the tests use one after the
 * other. Each fails by its reason.
 */
const first = startFirst();
first.catch(() => undefined);
test.after.always(() => owned.disposeAsync());

async function startFirst() {
  const dataDirectory = temporaryDataDirectory(owner, "somebody's data");
  chmodSync(path.dirname(dataDirectory), 0o711);
  const environment = {
    SMTP_URL: 'smtp://mail:secret@127.0.0.1:1',
    MAIL_FROM: 'a@example.com',
    PGSSLMODE: 'verify-full',
  };
  for (const step of ['Creating the database cluster', 'Creating a local account', 'Creating sample tasks']) {
    const killed = await startLocally(owner, { dataDirectory, environment });
    await killed.waitForOutput(new RegExp(step));
    killed.process.kill('SIGKILL');
    await killed.ended;
  }
  const start = await firstStart(owner, { dataDirectory, environment, by: 'npm' });
  const { account, baseUrl } = start;
  return {
    start,
    dataDirectory,
    account,
    samples: await titles(start, account.token),
    visitor: await openVisitor(baseUrl, account),
  };
}

/** A browser that is signed in, and an app that is connected. */
async function openVisitor(baseUrl: string, account: ShownAccount) {
  const browser = createPageBrowser(baseUrl);
  const endpoints = createOAuthEndpoints(baseUrl);
  await browser.signIn(account);
  let app = await connectApp({ endpoints, browser });
  return {
    grantId: app.grantId,
    settings: async () => (await browser.get('/settings')).status,
    me: () => endpoints.me(app.tokens.access_token),
    async refresh() {
      const { status, body } = await endpoints.token(refreshRequest(app));
      if (status === 200) app = { ...app, tokens: body };
      return status;
    },
  };
}

/** A start after the first, in its directory and at its address; the next test finds it running. */
async function startAgain(options: Partial<LocalStartOptions> = {}): Promise<LocalStart> {
  const { start, dataDirectory } = await first;
  const port = Number(new URL(start.baseUrl).port);
  const again = await startLocally(owner, { dataDirectory, port, ...options });
  await again.ready();
  later = again;
  return again;
}
let later: LocalStart;

/** Kills a part, and expects all to be stopped with a sentence why. */
async function killPart(t: ExecutionContext, start: LocalStart, part: string): Promise<void> {
  const family = familyOf(start.pid);
  process.kill(start.pidOf(part), 'SIGKILL');
  t.is(await start.ended, 1, part);
  t.true(start.output().includes(`\n${part} was killed by SIGKILL, so everything is stopped.\n`));
  await waitForEnd(family);
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
  return entries.map(({ actor: { kind, name }, changes }) => [
    kind,
    name,
    new Set(changes.map(({ id }) => id)).size,
  ]);
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

test.serial('the first start makes an account and prints what works; Ctrl-C leaves no process', async (t) => {
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
  t.deepEqual(newest, ['app', 'Claude', 4]);
  t.is(await addTask(start, token, 'By hand'), 201);
  t.deepEqual((await readActivity(start, start.account)).slice(0, 2), [['token', 'First token', 1], newest]);
  const log = start.output().replace(/An account was made for you[\s\S]*/, '');
  t.false(log.includes(token) || log.includes(password));

  const family = familyOf(start.pid);
  t.true(parts.every((part) => family.includes(start.pidOf(part))));
  // Ctrl-C signals the whole group of the terminal, and npm passes the signal on once more.
  process.kill(-start.pid, 'SIGINT');
  t.is(await start.ended, 0);
  t.true(start.output().endsWith('stopped\n'));
  await waitForEnd(family);
});

test.serial('a later start keeps all, shows no secret, and has directory and port to itself', async (t) => {
  const { start, dataDirectory, account, samples, visitor } = await first;
  t.is(readRunningInstance(dataDirectory), undefined);
  t.is(await start.ended, 0);
  const second = await startAgain();
  const kept = await titles(second, account.token);
  t.true(samples.every((title) => kept.includes(title)));
  t.deepEqual([await visitor.settings(), await visitor.me(), await visitor.refresh()], [200, 200, 200]);
  t.is(accountIn(second.output()), undefined);
  t.false(second.output().includes(account.token));
  t.is(readRunningInstance(dataDirectory)?.baseUrl, second.baseUrl);

  const sameData = await startLocally(t, { dataDirectory });
  t.is(await sameData.ended, 1);
  t.regex(sameData.output(), new RegExp(`^It is already running at ${second.baseUrl} .*\n$`));

  const port = Number(new URL(second.baseUrl).port);
  const samePort = await startLocally(t, { dataDirectory: temporaryDataDirectory(t), port });
  t.is(await samePort.ended, 1);
  t.regex(samePort.output(), /^Port \d+ is already in use: .*\n$/);
  t.is((await get(second, '/me', account.token)).status, 200);
});

test.serial(
  'of two starts at once on new data one ends with a sentence, and the other has the only secret',
  async (t) => {
    const dataDirectory = temporaryDataDirectory(t);
    const starts = await Promise.all([1, 2].map(() => startLocally(t, { dataDirectory })));
    const refused = await Promise.race(starts.map(async (start) => ({ start, end: await start.ended })));
    t.is(refused.end, 1);
    t.regex(refused.start.output(), /^Another one starts or stops on the data in .*\n$/);
    const kept = starts.find((start) => start !== refused.start);
    await kept?.ready();
    const secret = readFileSync(path.join(dataDirectory, 'key-encryption-secret'), 'utf8').trim();
    t.is(readRunningInstance(dataDirectory)?.keyEncryptionSecret, secret);
  },
);

test.serial(
  'a second service uses stores of the environment, embeds none, and a killed npm leaves no process',
  async (t) => {
    const { account, samples } = await first;
    const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
    const environment = { DATABASE_URL: databaseUrl, REDIS_URL: testRedisUrl() };
    const options = { dataDirectory: temporaryDataDirectory(t), environment, by: 'npm' } as const;
    const other = await firstStart(t, options);
    t.is(await addTask(later, account.token, 'Only there'), 201);
    t.deepEqual(await titles(other, other.account.token), samples);
    t.is((await get(other, '/me', account.token)).status, 401);
    const family = familyOf(other.pid);
    t.false(commandsOf(family).some((command) => /postgres|redis/.test(command)));
    other.process.kill('SIGKILL');
    await Promise.all([other.ended, waitForEnd(family)]);
    t.true(other.output().endsWith('stopped\n'), 'npm itself was killed');
  },
);

test.serial(
  'a killed database stops everything, with the reason; a lost secret is named and replaced, no data is lost',
  async (t) => {
    const { dataDirectory, account, visitor } = await first;
    t.is(await addTask(later, account.token, 'Added before PostgreSQL was killed'), 201);
    const beforeLoss = await titles(later, account.token);
    await killPart(t, later, 'PostgreSQL');
    t.regex(later.output(), /so everything is stopped\.\n.* (LOG|FATAL): {2}/, 'the last of its log');

    const secretFile = path.join(dataDirectory, 'key-encryption-secret');
    rmSync(secretFile);
    const stopped = await startLocally(t, { dataDirectory });
    t.is(await stopped.ended, 1);
    t.deepEqual(stopped.output().split('\n').slice(0, 4), [
      `${secretFile} is missing, and nothing else opens the signing keys in the database.`,
      'Put it back, or set KEY_ENCRYPTION_SECRET to what it held.',
      'If it is lost: npm start -- --new-signing-keys.',
      'Reminders in browsers then end, and authenticator apps’ codes no longer count; nothing else is lost.',
    ]);
    const withNewKeys = await startAgain({ parameters: ['--new-signing-keys'] });
    t.true(existsSync(secretFile), 'a later start needs no parameter');
    t.deepEqual(await titles(withNewKeys, account.token), beforeLoss);
    t.deepEqual([await visitor.settings(), await visitor.refresh(), await visitor.me()], [200, 200, 200]);
  },
);

test.serial('the operator rotates keys and disconnects an app while the service runs', async (t) => {
  const { dataDirectory, account, visitor } = await first;
  const admin = async (...words: string[]) => {
    const { stdout, stderr } = await runAdmin(words, { DATA_DIR: dataDirectory });
    if (stderr !== '') throw new Error(stderr);
    return JSON.parse(stdout);
  };
  t.is(typeof (await admin('keys', 'rotate', '--now')).currentKeyId, 'string');
  const [listed] = await admin('app', 'list', '--email', account.email);
  t.is(listed.appId, visitor.grantId);
  await admin('app', 'disconnect', '--app-id', listed.appId);
  t.is(await visitor.me(), 401);
  t.is(await visitor.refresh(), 400);
});

test.serial('when the start is killed, no process is left, and nothing is lost', async (t) => {
  const { dataDirectory, account } = await first;
  t.is(await addTask(later, account.token, 'Added before all was killed'), 201);
  const before = await titles(later, account.token);
  const family = familyOf(later.pid);
  process.kill(later.pid, 'SIGKILL');
  t.is(await later.ended, 'SIGKILL');
  writeFileSync(path.join(dataDirectory, 'runtime.json'), '{"pid": ');
  // At once, while PostgreSQL and the services still end.
  const last = await startAgain({ environment: { EMBEDDED_REDIS: 'js' } });
  t.deepEqual(await titles(last, account.token), before);
  await waitForEnd(family);
});

test.serial('it runs with the Redis of npm, too, and when a service is killed, all is stopped', async (t) => {
  t.regex(later.output(), /^ +Redis +js-redis-server /m);
  t.true(commandsOf(familyOf(later.pid)).some((command) => command.includes('js-redis-process')));
  await killPart(t, later, 'resource-api');
});

test.serial('an argument that the start does not know is refused before anything is started', async (t) => {
  const dataDirectory = temporaryDataDirectory(t);
  const start = await startLocally(t, { dataDirectory, parameters: ['--port=80'] });
  t.is(await start.ended, 2);
  t.regex(start.output(), /^unknown argument «--port=80»; .*\n$/);
  t.false(existsSync(dataDirectory));
});
