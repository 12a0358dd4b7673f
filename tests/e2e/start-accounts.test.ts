import { chmodSync, readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import pg from 'pg';
import { startLocally, temporaryDataDirectory } from './local-start.ts';

const isLinux = process.platform === 'linux';
const asRoot = isLinux && process.getuid?.() === 0 ? test.serial : test.serial.skip;

function environmentOf(pid: number): Map<string, string> {
  const entries = readFileSync(`/proc/${pid}/environ`, 'utf8').split('\0');
  return new Map(entries.map((entry) => [entry.split('=', 1)[0] ?? '', entry.slice(entry.indexOf('=') + 1)]));
}

function accountOf(pid: number): string {
  return /^Uid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1] ?? '';
}

asRoot(
  'npm start gives each service its own environment, login and account, and none has more rights',
  async (t) => {
    const dataDirectory = temporaryDataDirectory(t);
    chmodSync(path.dirname(dataDirectory), 0o711);
    const environment = { SMTP_URL: 'smtp://mail:secret@127.0.0.1:1', MAIL_FROM: 'a@example.com' };
    const start = await startLocally(t, { dataDirectory, environment });
    await start.ready();
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
    await start.stop();
  },
);
