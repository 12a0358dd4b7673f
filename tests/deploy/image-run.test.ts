import { chmodSync, mkdtempSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { buildImage } from './image/build-image.ts';
import { canChangeUser, runProgram, startContainer, waitUntilHealthy } from './image/container.ts';
import { openDatabase, serviceVariables } from './image/deployment.ts';

const image = buildImage(projectFolder);
test.after.always(() => image.remove());

test.before((t) => {
  if (!canChangeUser) t.log(`NOT TRIED: another user. Not root, so the image’s programs run as this one.`);
});

/** Files of secrets as an engine mounts them: the image's user can read them. */
function writeSecrets(
  t: ExecutionContext,
  secrets: Readonly<Record<string, string>>,
): Record<string, string> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'secrets-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const entries = Object.entries(secrets).map(([name, value]) => {
    const file = path.join(folder, name);
    writeFileSync(file, `${value}\n`);
    return [`${name}_FILE`, file];
  });
  return Object.fromEntries(entries);
}

/** Path, size and time of every file. */
function fingerprint(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((name) => ({ name, entry: statSync(path.join(folder, name)) }))
    .map(({ name, entry }) => `${name} ${entry.size} ${entry.mtimeMs}`)
    .toSorted();
}

test.serial(
  'migrates, serves, is healthy and ends with 0 at SIGTERM, and writes nothing in the image',
  async (t) => {
    const before = fingerprint(image.root);
    const databaseUrl = await openDatabase(t);
    const migration = await runProgram(t, image, ['migrate'], { DATABASE_URL: databaseUrl });
    t.is(migration.code, 0, migration.errors);
    t.regex(migration.output, /applied tasks\/0001-tasks/);
    const paths = { 'auth-server': '/oauth/jwks', 'resource-api': '/api/public/v1/openapi.json' };
    for (const [service, servedPath] of Object.entries(paths)) {
      const variables = await serviceVariables(databaseUrl);
      const container = startContainer(t, image, [...image.entrypoint, service], variables);
      await waitUntilHealthy(t, image, variables, container);
      const answer = await fetch(`http://127.0.0.1:${variables.PORT}${servedPath}`);
      t.is(answer.status, 200);
      await answer.json();
      container.child.kill('SIGTERM');
      const end = await container.ended;
      t.is(end.code, 0, end.errors);
      t.regex(end.output, /"reason":"SIGTERM"/);
    }
    t.deepEqual(fingerprint(image.root), before);
  },
);

test.serial('takes secrets from files, for services and for the operator’s command alike', async (t) => {
  const databaseUrl = await openDatabase(t);
  const secrets = writeSecrets(t, { DATABASE_URL: databaseUrl });
  t.is((await runProgram(t, image, ['migrate'], secrets)).code, 0);
  const account = ['account', 'create', '--email', 'ada@example.com', '--password', 'correct horse'];
  const created = await runProgram(t, image, ['admin', ...account], secrets);
  t.is(created.code, 0, created.errors);
  t.is(JSON.parse(created.output).email, 'ada@example.com');
});

test.serial(
  'says which files of secrets are at fault, all at once, and nothing of what others hold',
  async (t) => {
    const [empty, good] = [
      writeSecrets(t, { REDIS_URL: '' }),
      writeSecrets(t, { DATABASE_URL: 'postgres://a:open-sesame@localhost/b' }),
    ];
    const end = await runProgram(t, image, ['resource-api'], {
      ...empty,
      ...good,
      DATABASE_URL: 'postgres://a:sesame-seeds@localhost/b',
      KEY_ENCRYPTION_SECRET_FILE: '/nowhere/secret',
    });
    t.is(end.code, 1);
    t.deepEqual(end.errors.trim().split('\n').slice(1), [
      '  - DATABASE_URL and DATABASE_URL_FILE must not both be set',
      `  - REDIS_URL_FILE: ${empty.REDIS_URL_FILE} is empty`,
      "  - KEY_ENCRYPTION_SECRET_FILE: /nowhere/secret can't be read (ENOENT)",
    ]);
    t.notRegex(end.errors + end.output, /sesame/);
  },
);

test.serial('ends with 2 and tells what there is when no such program is known', async (t) => {
  for (const parameters of [['resource-ap'], []]) {
    const end = await runProgram(t, image, parameters);
    t.is(end.code, 2);
    t.is(end.output, '');
    t.regex(end.errors, /^(there is no program «resource-ap»|no program was named)\n/);
    for (const name of ['auth-server', 'resource-api', 'migrate', 'admin']) t.true(end.errors.includes(name));
  }
});

test.serial('tells what there is when it is started without a word', async (t) => {
  const end = await runProgram(t, image, image.command);
  t.is(end.code, 0);
  t.regex(end.output, /^Usage: /);
});

test.serial('a service that waits is alive, and not ready', async (t) => {
  const variables = await serviceVariables(await openDatabase(t));
  const container = startContainer(t, image, [...image.entrypoint, 'resource-api'], variables);
  const ask = async (...parameters: string[]) =>
    startContainer(t, image, [...image.healthCommand, ...parameters], variables).ended;
  let live = await ask('livez');
  while (live.code !== 0 && container.child.exitCode === null) live = await ask('livez');
  t.is(live.code, 0);
  const ready = await ask();
  t.is(ready.code, 1);
  t.regex(ready.output, /"starting"/);
});

test.serial('the health check says no where nothing listens, and 2 when it is called wrongly', async (t) => {
  const port = { MANAGEMENT_PORT: String(await findFreePort()) };
  const ask = async (parameters: string[], variables: Record<string, string>) =>
    (await startContainer(t, image, [...image.healthCommand, ...parameters], variables).ended).code;
  t.is(await ask([], port), 1);
  t.is(await ask(['metrics'], port), 2);
  t.is(await ask([], { MANAGEMENT_PORT: 'none' }), 2);
});
