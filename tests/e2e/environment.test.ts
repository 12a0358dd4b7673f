import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import { PassThrough } from 'node:stream';
import { text } from 'node:stream/consumers';
import { promisify } from 'node:util';
import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { createConsoleOutput } from '#local/console-output.ts';
import { readLocalConfig } from '#local/local-config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { ConfigError, type Environment } from '#shared/config/read-env.ts';
import { createLogger } from '#shared/logging/logger.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { startStack } from '#tests/support/stack.ts';
import { findInstance } from '../../deploy/admin/find-instance.ts';

const projectFolder = path.join(import.meta.dirname, '../..');

async function run(program: string, env: Environment, ...parameters: string[]) {
  const child = spawn(process.execPath, [program, ...parameters], {
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
    PGSSLMODE: 'verify_full',
    SIGN_UP: 'maybe',
    NOTES_WORKERS: 'x',
  };
  const { code, errorOutput } = await run('deploy/local/start.ts', { ...faults, DATA_DIR: dataDirectory });
  t.is(code, 1);
  const named = [...errorOutput.matchAll(/^ {2}- (\w+) /gm)].map(([, name]) => name);
  t.deepEqual(named.toSorted(), Object.keys(faults).toSorted(), 'each once');
  t.notRegex(errorOutput, /\n\s+at /, 'a fault of the operator is no stack trace');
  t.false(existsSync(dataDirectory));
});

test('npm start names a data directory that cannot be made or is no folder', async (t) => {
  for (const dataDirectory of [path.join(projectFolder, 'package.json'), '/proc/nope']) {
    const { code, output } = await run('deploy/local/start.ts', { DATA_DIR: dataDirectory });
    t.is(code, 1);
    t.true(output.startsWith(`No data can be kept in ${dataDirectory} (`), output);
  }
});

const needed = ['BASE_URL', 'PORT', 'MANAGEMENT_PORT', 'DATABASE_URL', 'REDIS_URL'];
const programs = {
  'services/resource-api/src/main.ts': needed,
  'services/auth-server/src/main.ts': [...needed, 'KEY_ENCRYPTION_SECRET'],
};

for (const [program, names] of Object.entries(programs)) {
  test(`${program} names everything that must be set`, async (t) => {
    const { code, errorOutput } = await run(program, {});
    t.is(code, 1);
    const complaints = [...errorOutput.matchAll(/^ +- ([A-Z_]+) must /gm)].map(([, name]) => name);
    t.deepEqual(complaints.toSorted(), names.toSorted());
    t.notRegex(errorOutput, /\n\s+at /, 'a fault of the operator is no stack trace');
  });
}

const sound: Environment = {
  BASE_URL: 'http://localhost:8080',
  PORT: '8080',
  MANAGEMENT_PORT: '8081',
  DATABASE_URL: 'postgres://localhost/tasks',
  REDIS_URL: 'redis://localhost',
  KEY_ENCRYPTION_SECRET: Buffer.alloc(32, 7).toString('base64url'),
};

const everywhere = [readResourceApiConfig, readAuthServerConfig, readLocalConfig];
const connecting = [...everywhere, findInstance];
const inServices = [readResourceApiConfig, readAuthServerConfig];
const inApi = [readResourceApiConfig, readLocalConfig];
const inAuthServer = [readAuthServerConfig, readLocalConfig];

const refusals: [string, readonly string[], readonly ((environment: Environment) => unknown)[]][] = [
  [
    'BASE_URL',
    [
      ...['localhost', 'ftp://localhost', 'http:localhost', 'http://ada@localhost'],
      ...['http://localhost/path', 'http://localhost//', 'http://localhost?a', 'http://localhost?'],
      ...['http://tasks.example.com', 'http://10.0.0.1:8080', 'http://127.0.0.1.example.com'],
    ],
    everywhere,
  ],
  ['PORT', ['0', '65536', '80.5', 'http'], everywhere],
  [
    'DATABASE_URL',
    [
      ...['localhost', 'mysql://localhost', 'postgres://localhost/tasks?sslmode=require'],
      ...[
        'postgres://localhost',
        'postgres://localhost/',
        'postgres://localhost/a/b',
        'postgres://localhost/a#b',
      ],
      ...['postgres://ada:p%ww@localhost/tasks', 'postgres://localhost/tasks%'],
    ],
    connecting,
  ],
  ['PGSSLMODE', ['verify_full', 'Verify-Full', 'verify-full ', 'allow', 'require', 'true'], connecting],
  ['REDIS_URL', ['localhost', 'http://localhost', 'redis://:p%ww@localhost'], everywhere],
  ['TRUSTED_PROXY_HOPS', ['-1', 'one', '11'], everywhere],
  ['LOG_LEVEL', ['INFO', 'loud'], everywhere],
  ['MANAGEMENT_PORT', ['0', '65536'], inServices],
  ['DATABASE_POOL_SIZE', ['0', 'ten'], everywhere],
  ['DATABASE_WAIT_MILLISECONDS', ['0', 'soon'], everywhere],
  [
    'ADDRESS_LIMIT_EXEMPT',
    [
      ...['10.0.0.0/33', '10.0.0.0/8,example.com', '::1/129', '::1/-1', '10.0.0.0/8/8'],
      ...['10.0.0.0/', '10.0.0.0/0x8', '10.0.0.0/1e1', '10.0.0.0/08', '10.0.0.0/0', '::/0'],
    ],
    everywhere,
  ],
  ['KEY_ENCRYPTION_SECRET', ['short'], inAuthServer],
  ['ACCESS_TOKEN_TTL_SECONDS', ['0', '-600', '10 minutes'], inAuthServer],
  ['NOTES_WORKERS', ['0', 'two'], inApi],
  ['NOTES_TIMEOUT_MILLISECONDS', ['0', '1s'], inApi],
  ['EMBEDDED_REDIS', ['redis'], [readLocalConfig]],
];

test('http beyond this machine is accepted by those who ask for it', (t) => {
  const insecure = { ...sound, BASE_URL: 'http://tasks.example.com', ALLOW_INSECURE_BASE_URL: '1' };
  for (const read of everywhere) t.is(read(insecure).baseUrl, 'http://tasks.example.com');
  for (const BASE_URL of ['http://127.0.0.1:80', 'http://[::1]:8080', 'https://tasks.example.com'])
    for (const read of everywhere) t.notThrows(() => read({ ...sound, BASE_URL }));
});

test('a fault does not repeat the secret it is found in', (t) => {
  const secrets = { DATABASE_URL: 'mysql://app:swordfish@db/tasks', REDIS_URL: 'http://:swordfish@redis' };
  for (const read of everywhere) {
    const error = t.throws(() => read({ ...sound, ...secrets }), { instanceOf: ConfigError });
    t.regex(error.message, /- DATABASE_URL .*\n.*- REDIS_URL /);
    t.notRegex(error.message, /swordfish/);
  }
});

test('a password that breaks its URL is told how to write it', (t) => {
  for (const read of everywhere)
    for (const DATABASE_URL of ['postgres://app:a/b@localhost/tasks', 'postgres://app:a#b@localhost/tasks'])
      t.throws(() => read({ ...sound, DATABASE_URL }), {
        message: /- DATABASE_URL .*password «\/» is written as %2F/,
      });
});

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

test('an exemption of all addresses is told from a mistyped one', (t) => {
  const faults = {
    '10.0.0.0/0': 'would exempt every address',
    '10.0.0.0/': 'is not an address or CIDR range',
  };
  for (const [entry, fault] of Object.entries(faults)) {
    const message = new RegExp(`- ADDRESS_LIMIT_EXEMPT: ${entry} ${fault}$`);
    t.throws(() => readResourceApiConfig({ ...sound, ADDRESS_LIMIT_EXEMPT: entry }), { message });
  }
  const exempt = ['10.0.0.0/8', '192.0.2.1', '2001:db8::/128'];
  t.deepEqual(
    readResourceApiConfig({ ...sound, ADDRESS_LIMIT_EXEMPT: exempt.join(', ') }).addressLimitExempt,
    exempt,
  );
});

test('an origin is written in one form, however BASE_URL is', (t) => {
  const { BASE_URL: _, ...others } = sound;
  t.is(readLocalConfig({ ...others, PORT: '80' }).baseUrl, 'http://localhost');
  const forms = {
    'https://tasks.example.com:443': 'https://tasks.example.com',
    'HTTP://Tasks.Example.com:80/': 'http://tasks.example.com',
    'https://tasks.example.com:8443/': 'https://tasks.example.com:8443',
    'http://[::1]:443': 'http://[::1]:443',
  };
  for (const [written, form] of Object.entries(forms))
    for (const read of everywhere)
      t.is(read({ ...others, ALLOW_INSECURE_BASE_URL: '1', BASE_URL: written }).baseUrl, form);
});

test('an empty variable counts as one that is not set', (t) => {
  t.deepEqual(
    readResourceApiConfig({ ...sound, LOG_LEVEL: '', NOTES_WORKERS: ' ' }),
    readResourceApiConfig(sound),
  );
});

test('npm start shows why something failed, with what a service logs of it', async (t) => {
  const lines = new PassThrough();
  const logger = createLogger('auth-server', 'info', lines);
  logger.error({ err: new Error('connect ECONNREFUSED 127.0.0.1:25'), queue: 'mail' }, 'a job failed');
  const [line] = await once(lines, 'data');
  const shown: string[] = [];
  createConsoleOutput('info', (text) => shown.push(text)).serviceLine('auth-server', String(line));
  t.regex(
    shown.join('\n'),
    /auth-server +error a job failed {2}queue=mail {2}connect ECONNREFUSED 127\.0\.0\.1:25\n {4}at /,
  );
});

test('npm start shows the cause of what failed', async (t) => {
  const lines = new PassThrough();
  const cause = new Error('canceling statement due to statement timeout');
  const err = new AggregateError([cause], '1 of 5 failed', { cause });
  createLogger('resource-api', 'info', lines).error({ err }, 'a sweep failed');
  const [line] = await once(lines, 'data');
  const shown: string[] = [];
  createConsoleOutput('info', (text) => shown.push(text)).serviceLine('resource-api', String(line));
  t.regex(shown.join('\n'), /a sweep failed {2}1 of 5 failed\n {4}at .*\n {2}cause: canceling statement /s);
});

const readme = path.join(import.meta.dirname, '../../README.md');
const execute = promisify(execFile);

test('the commands that the README shows for the API work as they are written', async (t) => {
  const stack = await startStack(t);
  const { token } = await stack.newClient();
  const [, section = ''] = (await readFile(readme, 'utf8')).split('\n## Use the API\n');
  const [, block = ''] = /```bash\n([\s\S]*?)```/.exec(section) ?? [];
  const commands = block
    .replace('http://localhost:8080/api/public/v1', stack.apiRoot)
    .replace('tms_…', token.secret)
    .replaceAll('curl -sS', 'curl -sS --fail-with-body --write-out "\\n"');
  const { stdout } = await execute('bash', ['-euc', commands]);
  const [today, created, upcoming, ...further] = stdout.trim().split('\n');
  t.deepEqual(further, []);
  t.deepEqual(JSON.parse(today ?? '').items, []);
  t.is(JSON.parse(created ?? '').title, 'Order seeds');
  t.true(Array.isArray(JSON.parse(upcoming ?? '').items));
});
