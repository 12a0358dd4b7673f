import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { chmodSync, chownSync, existsSync, mkdtempSync, readdirSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { findFreePort } from '#local/free-port.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** Where Debian keeps the programs of each version of PostgreSQL. */
const versionsFolder = '/usr/lib/postgresql';
const needed = ['initdb', 'postgres', 'pg_basebackup', 'pg_dump', 'pg_restore', 'psql'];

/** The programs of the newest PostgreSQL that is installed with all of them. */
export function findInstalledPrograms(): string | undefined {
  const versions = existsSync(versionsFolder) ? readdirSync(versionsFolder) : [];
  return versions
    .toSorted((left, right) => Number(right) - Number(left))
    .map((version) => path.join(versionsFolder, version, 'bin'))
    .find((folder) => needed.every((program) => existsSync(path.join(folder, program))));
}

/** PostgreSQL refuses to run as root: it runs as nobody then. */
const runAs = process.getuid?.() === 0 ? { uid: 65_534, gid: 65_534 } : {};

type Owner = { teardown(end: () => void | Promise<void>): void };

/** An empty folder that PostgreSQL can write to. */
export function makeServerFolder(owner: Owner): string {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'installed-postgres-'));
  if (runAs.uid !== undefined) chownSync(folder, runAs.uid, runAs.gid);
  chmodSync(folder, 0o700);
  owner.teardown(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}

/** Runs one of PostgreSQL's programs as its server does. Throws what it says when it fails. */
export function runPostgresProgram(programs: string, program: string, ...words: string[]): void {
  const options = {
    ...runAs,
    cwd: '/',
    encoding: 'utf8',
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
  } as const;
  const { status, stderr } = spawnSync(path.join(programs, program), words, options);
  if (status !== 0) throw new Error(`${program}: ${stderr}`);
}

type InstalledServer = { url: string; stop(): Promise<void> };

/** A server over these data, by default empty; it trusts connections from loopback. A superuser's URL. */
export async function startInstalledPostgres(
  owner: Owner,
  programs: string,
  { data, settings = {} }: { data?: string; settings?: Readonly<Record<string, string>> } = {},
): Promise<InstalledServer> {
  const folder = data ?? makeServerFolder(owner);
  if (data === undefined)
    runPostgresProgram(
      programs,
      'initdb',
      '-D',
      folder,
      '-U',
      'app',
      '--auth=trust',
      '--encoding=UTF8',
      '--no-sync',
    );
  const port = await findFreePort();
  const all = { listen_addresses: '127.0.0.1', unix_socket_directories: '', fsync: 'off', ...settings };
  const words = Object.entries(all).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawn(path.join(programs, 'postgres'), ['-D', folder, '-p', String(port), ...words], {
    ...runAs,
    cwd: '/',
    env: { LC_ALL: 'C', PATH: '/usr/bin:/bin' },
    stdio: 'ignore',
  });
  const ended = once(child, 'exit');
  const stop = async () => {
    child.kill('SIGINT');
    await ended;
  };
  owner.teardown(stop);
  const url = `postgres://app@127.0.0.1:${port}/postgres`;
  await waitFor(() => accepts(url), { timeoutMilliseconds: 30_000, what: `PostgreSQL of ${programs}` });
  return { url, stop };
}

async function accepts(url: string): Promise<boolean> {
  const connection = connectSql(url);
  try {
    await connection.run('select 1');
    return true;
  } catch {
    return false;
  } finally {
    await connection.close();
  }
}
