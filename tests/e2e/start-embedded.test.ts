import {
  chmodSync,
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { connect } from 'node:net';
import os from 'node:os';
import path from 'node:path';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { type EmbeddedPostgresOptions, startEmbeddedPostgres } from '#local/embedded-postgres.ts';
import { findRedisBinaries, startEmbeddedRedis } from '#local/embedded-redis.ts';
import { removeEmbeddedPostgres } from '#local/postgres-cluster.ts';
import { connectSql } from '../support/connect-sql.ts';

function temporaryDirectory(t: ExecutionContext, mode = 0o711): string {
  const home = mkdtempSync(path.join(os.tmpdir(), 'embedded-'));
  chmodSync(home, mode);
  const directory = path.join(home, 'postgres');
  t.teardown(() => {
    removeEmbeddedPostgres(directory);
    rmSync(home, { recursive: true, force: true });
  });
  return directory;
}

async function start(t: ExecutionContext, options: EmbeddedPostgresOptions) {
  const server = await startEmbeddedPostgres({ settings: { fsync: 'off' }, ...options });
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

test('data survives a restart, also after a kill when another process has the server’s id', async (t) => {
  const directory = temporaryDirectory(t);
  // As a killed start leaves it.
  mkdirSync(path.join(directory, 'initialising/data'), { recursive: true });
  const first = await start(t, { directory });
  await run(first.url, 'create table kept (id int)');
  await first.stop();

  const second = await start(t, { directory });
  await run(second.url, 'insert into kept values (1)');
  process.kill(second.pid, 'SIGKILL');
  t.is((await second.ended).signal, 'SIGKILL');
  const serverFile = path.join(directory, 'cluster/data/postmaster.pid');
  const [, ...rest] = readFileSync(serverFile, 'utf8').split('\n');
  writeFileSync(serverFile, [process.pid, ...rest].join('\n'));

  const third = await start(t, { directory, port: second.port });
  t.is(third.url, second.url);
  await t.notThrowsAsync(run(third.url, 'insert into kept values (2)'));
  const wrong = Object.assign(new URL(third.url), { password: 'wrong' });
  await t.throwsAsync(run(wrong.href, 'select 1'), { message: /password authentication failed/ });
});

test('a cluster of another PostgreSQL is left alone, and its version named', async (t) => {
  const directory = temporaryDirectory(t);
  await (await start(t, { directory })).stop();
  writeFileSync(path.join(directory, 'cluster/data/PG_VERSION'), '12\n');
  await t.throwsAsync(startEmbeddedPostgres({ directory }), {
    message: /initialized by PostgreSQL version 12/,
  });
});

const asRoot = process.getuid?.() === 0 ? test : test.skip;

asRoot(
  'below a private folder of root the cluster has its own folder, which is remembered, but not by a copy',
  async (t) => {
    const directory = temporaryDirectory(t, 0o700);
    const first = await start(t, { directory });
    await run(first.url, 'create table kept (id int)');
    await first.stop();
    t.false(existsSync(path.join(directory, 'cluster')));
    t.true(existsSync(path.join(first.home, 'cluster')));

    const second = await start(t, { directory });
    t.is(second.home, first.home);
    await t.notThrowsAsync(run(second.url, 'insert into kept values (1)'));
    await second.stop();

    const copy = `${directory}-copy`;
    cpSync(directory, copy, { recursive: true });
    const refused = await t.throwsAsync(startEmbeddedPostgres({ directory: copy }));
    t.true(
      refused.message.includes(`is a copy of ${realpathSync(directory)}, whose database is in ${first.home}`),
    );
    rmSync(copy, { recursive: true });
    const moved = `${directory}-moved`;
    renameSync(directory, moved);
    const third = await start(t, { directory: moved });
    t.is(third.home, first.home);
    await third.stop();
    removeEmbeddedPostgres(moved);
    t.false(existsSync(first.home));
  },
);

/** Sends inline commands and reads until the server closes the connection. */
async function askRedis(port: number, ...commands: string[]): Promise<string> {
  const socket = connect(port, '127.0.0.1');
  socket.write([...commands, 'QUIT', ''].join('\r\n'));
  return await text(socket);
}

for (const kind of ['auto', 'js'] as const) {
  test(`Redis (${kind}) responds to its password alone, and starts again at the same address`, async (t) => {
    const first = await startEmbeddedRedis({ kind });
    t.teardown(first.stop);
    t.is(first.kind, kind === 'js' ? 'js' : (findRedisBinaries()[0] ?? 'js'));
    t.regex(await askRedis(first.port, 'GET a'), /^-NOAUTH/);
    const written = await askRedis(first.port, `AUTH ${first.password}`, 'SET a 1', 'GET a');
    t.regex(written, /^\+OK\r\n\+OK\r\n\$1\r\n1\r\n/);
    process.kill(first.pid, 'SIGKILL');
    await first.ended;

    const second = await startEmbeddedRedis({ kind, port: first.port, password: first.password });
    t.teardown(second.stop);
    t.is(second.url, first.url);
    t.regex(await askRedis(second.port, `AUTH ${first.password}`, 'GET a'), /^\+OK\r\n\$-1\r\n/);
  });
}
