import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { DirectoryInUseError } from '#local/directory-lock.ts';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { startEmbeddedRedis } from '#local/embedded-redis.ts';
import { removeEmbeddedPostgres } from '#local/postgres-home.ts';
import { findRedisBinaries } from '#local/redis-binary.ts';
import { connectSql } from '../support/connect-sql.ts';

const notDurable = { fsync: 'off' };

function temporaryDirectory(t: ExecutionContext): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'embedded-'));
  chmodSync(home, 0o711);
  t.teardown(() => rmSync(home, { recursive: true, force: true }));
  return path.join(home, 'postgres');
}

async function start(t: ExecutionContext, options: EmbeddedPostgresOptions) {
  const server = await startEmbeddedPostgres({ settings: notDurable, ...options });
  t.teardown(server.stop);
  return server;
}

async function run(url: string, statement: string): Promise<void> {
  const connection = connectSql(url);
  try {
    await connection.run(statement);
  } finally {
    await connection.close();
  }
}

test('what was written is there after a restart, also when the server was killed', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, { directory });
  await run(first.url, 'create table kept (id int)');
  await first.stop();

  const second = await start(t, { directory });
  await run(second.url, 'insert into kept values (1)');
  process.kill(second.pid, 'SIGKILL');
  t.is((await second.ended).signal, 'SIGKILL');

  const third = await start(t, { directory, port: second.port });
  t.is(third.url, second.url);
  await t.notThrowsAsync(run(third.url, 'insert into kept values (2)'));
});

test('a directory has one server', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, { directory });
  await t.throwsAsync(startEmbeddedPostgres({ directory }), { instanceOf: DirectoryInUseError });
  await first.stop();
  await t.notThrowsAsync(start(t, { directory }));
});

test('a wrong password is refused', async (t) => {
  const { url } = await start(t, { directory: temporaryDirectory(t) });
  const wrong = Object.assign(new URL(url), { password: 'wrong' });
  await t.throwsAsync(run(wrong.href, 'select 1'), { message: /password authentication failed/ });
});

test('a half-made cluster of a killed start is removed', async (t) => {
  const directory = temporaryDirectory(t);
  const halfMade = path.join(directory, 'initialising-killed', 'data');
  mkdirSync(halfMade, { recursive: true });
  writeFileSync(path.join(halfMade, 'PG_VERSION'), '18\n');
  const { url } = await start(t, { directory });
  await t.notThrowsAsync(run(url, 'select 1'));
  t.deepEqual(readdirSync(directory).toSorted(), ['cluster', 'in-use.lock']);
});

test('a lock file that names a living process of somebody else does not stop the start', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, { directory });
  const lockFile = path.join(directory, 'cluster', 'data', 'postmaster.pid');
  process.kill(first.pid, 'SIGKILL');
  await first.ended;
  const [, ...rest] = readFileSync(lockFile, 'utf8').split('\n');
  writeFileSync(lockFile, [process.pid, ...rest].join('\n'));
  const second = await start(t, { directory });
  await t.notThrowsAsync(run(second.url, 'select 1'));
});

test('a cluster of another PostgreSQL is left alone', async (t) => {
  const directory = temporaryDirectory(t);
  const first = await start(t, { directory });
  await first.stop();
  writeFileSync(path.join(directory, 'cluster', 'data', 'PG_VERSION'), '12\n');
  await t.throwsAsync(startEmbeddedPostgres({ directory }), { message: /belongs to PostgreSQL 12/ });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot(
  'below a private folder of root, the data lives in a folder of its own that is remembered',
  async (t) => {
    const home = mkdtempSync(path.join(os.tmpdir(), 'embedded-private-'));
    const directory = path.join(home, 'postgres');
    t.teardown(() => removeEmbeddedPostgres(directory));
    t.teardown(() => rmSync(home, { recursive: true, force: true }));
    const first = await start(t, { directory });
    await run(first.url, 'create table kept (id int)');
    await first.stop();
    const location: { home: string } = JSON.parse(
      readFileSync(path.join(directory, 'location.json'), 'utf8'),
    );
    t.false(existsSync(path.join(directory, 'cluster')));
    t.true(existsSync(path.join(location.home, 'cluster')));

    const second = await start(t, { directory });
    await t.notThrowsAsync(run(second.url, 'insert into kept values (1)'));
    await second.stop();
    removeEmbeddedPostgres(directory);
    t.false(existsSync(location.home));
  },
);

/** Sends inline commands and reads until the server closes the connection. */
async function askRedis(port: number, ...commands: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...commands, 'QUIT', ''].join('\r\n'));
  return await text(socket);
}

for (const kind of ['auto', 'js'] as const) {
  test(`Redis (${kind}) answers to its password alone, and starts again at the same address`, async (t) => {
    const first = await startEmbeddedRedis({ kind });
    t.teardown(first.stop);
    t.is(first.kind, kind === 'js' ? 'js' : ((await findRedisBinaries())[0] ?? 'js'));
    t.regex(await askRedis(first.port, 'GET a'), /^-NOAUTH/);
    t.regex(
      await askRedis(first.port, `AUTH ${first.password}`, 'SET a 1', 'GET a'),
      /^\+OK\r\n\+OK\r\n\$1\r\n1\r\n/,
    );
    process.kill(first.pid, 'SIGKILL');
    await first.ended;

    const second = await startEmbeddedRedis({ kind, port: first.port, password: first.password });
    t.teardown(second.stop);
    t.is(second.url, first.url);
    t.regex(await askRedis(second.port, `AUTH ${first.password}`, 'GET a'), /^\+OK\r\n\$-1\r\n/);
  });
}
