import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdirSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { Client } from 'pg';
import { findFreePort } from '#local/free-port.ts';
import { unprivilegedUser } from '#local/postgres-account.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Where Debian keeps the programs of each version of PostgreSQL. */
const versionsFolder = '/usr/lib/postgresql';
const needed = ['initdb', 'postgres', 'pg_dump', 'pg_restore', 'psql'];

/** The programs of the newest PostgreSQL that is installed with all of them; undefined where there is none. */
export function findInstalledPrograms(): string | undefined {
  const versions = existsSync(versionsFolder) ? readdirSync(versionsFolder) : [];
  return versions
    .toSorted((left, right) => Number(right) - Number(left))
    .map((version) => path.join(versionsFolder, version, 'bin'))
    .find((folder) => needed.every((program) => existsSync(path.join(folder, program))));
}

type Owner = { teardown(end: () => Promise<void>): void };

/** An empty server of its own, which trusts whoever reaches it on loopback. A superuser's URL. */
export async function startInstalledPostgres(owner: Owner, programs: string): Promise<string> {
  const home = mkdtempSync(path.join(os.tmpdir(), 'installed-postgres-'));
  chmodSync(home, 0o711);
  const data = path.join(home, 'data');
  mkdirSync(data, { mode: 0o700 });
  const runAs = unprivilegedUser(data);
  if (runAs !== undefined) chownSync(data, runAs.uid, runAs.gid);
  const options = { ...runAs, cwd: '/', env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' } };
  const made = spawnSync(
    path.join(programs, 'initdb'),
    ['-D', data, '-U', 'app', '--auth=trust', '--encoding=UTF8', '--no-sync'],
    { ...options, encoding: 'utf8' },
  );
  if (made.status !== 0) throw new Error(made.stderr);

  const port = await findFreePort();
  const settings = ['listen_addresses=127.0.0.1', 'unix_socket_directories=', 'fsync=off'];
  const child = spawn(
    path.join(programs, 'postgres'),
    ['-D', data, '-p', String(port), ...settings.flatMap((setting) => ['-c', setting])],
    { ...options, detached: true, stdio: 'ignore' },
  );
  const ended = once(child, 'exit');
  owner.teardown(async () => {
    child.kill('SIGINT');
    await ended;
    rmSync(home, { recursive: true, force: true });
  });
  const url = `postgres://app@127.0.0.1:${port}/postgres`;
  await waitFor(() => accepts(url), { timeoutMilliseconds: 30_000, what: `PostgreSQL of ${programs}` });
  return url;
}

async function accepts(url: string): Promise<boolean> {
  const client = new Client({ connectionString: url });
  try {
    await client.connect();
    return true;
  } catch {
    return false;
  } finally {
    await client.end();
  }
}
