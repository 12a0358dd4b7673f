import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import type { ExecutionContext } from 'ava';
import { projectFolder } from '../../architecture/source-files.ts';
import { startInstalledPostgres } from '../backup/installed-postgres.ts';
import type { MadeSecrets } from './compose-file.ts';

export type ComposeDatabase = {
  host: string;
  port: string;
  /** The URL that a secret holds, with the address of this server. */
  urlOf(secret: string): string;
};

/** PostgreSQL as its first start leaves it: deploy/compose's logins with passwords, an empty database. */
export async function startComposeDatabase(
  t: ExecutionContext,
  programs: string,
  secrets: MadeSecrets,
): Promise<ComposeDatabase> {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'logins-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  chmodSync(folder, 0o755);
  const access = path.join(folder, 'pg_hba.conf');
  writeFileSync(access, 'host all app,postgres all trust\nhost all all all scram-sha-256\n');
  const { url } = await startInstalledPostgres(t, programs, { settings: { hba_file: access } });
  const script = readFileSync(path.join(projectFolder, 'deploy/compose/create-logins.sql'), 'utf8');
  const file = path.join(folder, 'create-logins.sql');
  writeFileSync(file, script.replaceAll('/run/secrets', secrets.folder));
  const options = ['--no-psqlrc', '--set=ON_ERROR_STOP=1', '--quiet'];
  const psql = (...words: string[]) =>
    execFileSync(path.join(programs, 'psql'), [...options, ...words], { stdio: 'pipe' });
  psql(url, '--command', 'create role postgres superuser login', '--command', 'create database tasks');
  const database = new URL(url);
  database.pathname = '/tasks';
  psql(database.href, '--file', file);
  const { hostname: host, port } = database;
  const urlOf = (secret: string) =>
    readFileSync(path.join(secrets.folder, secret), 'utf8').trim().replace('postgres:5432', database.host);
  return { host, port, urlOf };
}
