import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { ConfigError } from '#shared/config/config-error.ts';
import type { Environment } from '#shared/config/read-env.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';

const projectFolder = path.join(import.meta.dirname, '../..');

async function run(program: string, env: Record<string, string>) {
  const child = spawn(process.execPath, [program], {
    cwd: projectFolder,
    env: { ...programEnvironment, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const ended = once(child, 'close');
  const [output, errorOutput] = await Promise.all([text(child.stdout), text(child.stderr)]);
  const [code] = await ended;
  return { code, output, errorOutput };
}

test('npm start names every fault of the environment at once, and starts nothing', async (t) => {
  const dataDirectory = path.join(os.tmpdir(), `never-made-${process.pid}`);
  const faults = {
    PORT: 'eighty',
    BASE_URL: 'http://localhost/tasks',
    LOG_LEVEL: 'loud',
    TRUSTED_PROXY_HOPS: '-1',
    EMBEDDED_REDIS: 'yes',
    KEY_ENCRYPTION_SECRET: 'short',
  };
  const { code, errorOutput } = await run('deploy/local/start.ts', { ...faults, DATA_DIR: dataDirectory });
  t.is(code, 1);
  for (const name of Object.keys(faults)) t.regex(errorOutput, new RegExp(`- ${name} `));
  t.notRegex(errorOutput, /\n\s+at /, 'a fault of the operator is no stack trace');
  t.false(existsSync(dataDirectory));
});

const needed = ['BASE_URL', 'PORT', 'MANAGEMENT_PORT', 'DATABASE_URL', 'REDIS_URL'];
const programs = {
  'services/resource-api/src/main.ts': needed,
  'services/auth-server/src/main.ts': [...needed, 'KEY_ENCRYPTION_SECRET'],
};

for (const [program, names] of Object.entries(programs)) {
  test(`${program} names everything that it must be told`, async (t) => {
    const { code, errorOutput } = await run(program, {});
    t.is(code, 1);
    const complaints = [...errorOutput.matchAll(/^ +- ([A-Z_]+) must /gm)].map(([, name]) => name);
    t.deepEqual(complaints.toSorted(), names.toSorted());
  });
}

test('a fault does not repeat the secret it is found in', async (t) => {
  const secrets = { DATABASE_URL: 'mysql://app:swordfish@db/tasks', REDIS_URL: 'http://:swordfish@redis' };
  const { code, output, errorOutput } = await run('deploy/local/start.ts', secrets);
  t.is(code, 1);
  t.regex(errorOutput, /DATABASE_URL/);
  t.notRegex(output + errorOutput, /swordfish/);
});

const sound: Environment = {
  BASE_URL: 'http://localhost:8080',
  PORT: '8080',
  MANAGEMENT_PORT: '8081',
  DATABASE_URL: 'postgres://localhost/tasks',
  REDIS_URL: 'redis://localhost',
  KEY_ENCRYPTION_SECRET: Buffer.alloc(32, 7).toString('base64url'),
};
const everywhere = [readResourceApiConfig, readAuthServerConfig, readLocalConfig];
const inServices = [readResourceApiConfig, readAuthServerConfig];

const refusals: [string, readonly string[], readonly ((environment: Environment) => unknown)[]][] = [
  ['BASE_URL', ['localhost', 'ftp://localhost', 'http://localhost/path', 'http://localhost?a'], everywhere],
  ['PORT', ['0', '65536', '80.5', 'http'], everywhere],
  [
    'DATABASE_URL',
    ['localhost', 'mysql://localhost', 'postgres://localhost/tasks?sslmode=require'],
    everywhere,
  ],
  ['REDIS_URL', ['localhost', 'http://localhost'], everywhere],
  ['TRUSTED_PROXY_HOPS', ['-1', 'one', '11'], everywhere],
  ['LOG_LEVEL', ['INFO', 'loud'], everywhere],
  ['MANAGEMENT_PORT', ['0', '65536'], inServices],
  ['DATABASE_POOL_SIZE', ['0', 'ten'], inServices],
  ['DATABASE_WAIT_MILLISECONDS', ['0', 'soon'], inServices],
  ['REDIS_WAIT_MILLISECONDS', ['0', '9', '60001', '50ms'], inServices],
  ['ADDRESS_LIMIT_EXEMPT', ['10.0.0.0/33', '10.0.0.0/8,example.com', '::1/129'], inServices],
  ['KEY_ENCRYPTION_SECRET', ['short'], [readAuthServerConfig, readLocalConfig]],
  ['ACCESS_TOKEN_TTL_SECONDS', ['0', '-600', '10 minutes'], [readAuthServerConfig]],
  ['NOTES_WORKERS', ['0', 'two'], [readResourceApiConfig]],
  ['NOTES_TIMEOUT_MILLISECONDS', ['0', '1s'], [readResourceApiConfig]],
  ['EMBEDDED_REDIS', ['redis'], [readLocalConfig]],
];

for (const [name, values, readers] of refusals) {
  test(`${name} is refused by name when it makes no sense`, (t) => {
    for (const read of readers) {
      t.notThrows(() => read(sound));
      for (const value of values) {
        const message = new RegExp(`- ${name}\\b`);
        t.throws(() => read({ ...sound, [name]: value }), { instanceOf: ConfigError, message }, value);
      }
    }
  });
}

test('an empty variable counts as one that is not set', (t) => {
  t.deepEqual(
    readResourceApiConfig({ ...sound, LOG_LEVEL: '', NOTES_WORKERS: ' ' }),
    readResourceApiConfig(sound),
  );
});
