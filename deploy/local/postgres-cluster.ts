import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import path from 'node:path';
import type { PostgresBinaries } from './postgres-binaries.ts';
import { CLUSTER_FOLDER } from './postgres-home.ts';
import { describeEnd, endOf } from './process-end.ts';
import { guardProcess } from './process-guardian.ts';
import type { RunAs } from './unprivileged-user.ts';

export const POSTGRES_USER = 'app';
/** PostgreSQL's messages are recognised by their text, so its language is fixed. */
export const POSTGRES_ENVIRONMENT = { LC_ALL: 'C', TZ: 'UTC', PATH: '/usr/bin:/bin' };

const DATA_FOLDER = 'data';
const PASSWORD_FILE = 'password';
const STAGED_PREFIX = 'initialising-';

export type Cluster = { dataDirectory: string; password: string };

export type ClusterRequest = {
  home: string;
  binaries: PostgresBinaries;
  runAs: RunAs;
  /** false leaves the new files to the operating system's cache: for data that may be lost. */
  durable: boolean;
  onProgress?: ((message: string) => void) | undefined;
};

/**
 * The cluster below `home`, created first if there is none.
 * It is made under another name and renamed when it is complete, so a killed start leaves nothing half done.
 */
export async function ensureCluster(request: ClusterRequest): Promise<Cluster> {
  const cluster = path.join(request.home, CLUSTER_FOLDER);
  if (!existsSync(cluster)) {
    request.onProgress?.('Creating the database cluster … (first start only)');
    removeLeftovers(request.home);
    renameSync(await createStagedCluster(request), cluster);
  }
  const dataDirectory = path.join(cluster, DATA_FOLDER);
  const version = readFileSync(path.join(dataDirectory, 'PG_VERSION'), 'utf8').trim();
  if (version !== request.binaries.majorVersion) {
    throw new Error(
      `${dataDirectory} belongs to PostgreSQL ${version}, but PostgreSQL ${request.binaries.majorVersion} is installed`,
    );
  }
  return { dataDirectory, password: readFileSync(path.join(cluster, PASSWORD_FILE), 'utf8') };
}

function removeLeftovers(home: string): void {
  for (const name of readdirSync(home)) {
    if (name.startsWith(STAGED_PREFIX))
      rmSync(path.join(home, name), { recursive: true, force: true, maxRetries: 5 });
  }
}

async function createStagedCluster(request: ClusterRequest): Promise<string> {
  const staged = mkdtempSync(path.join(request.home, STAGED_PREFIX));
  const passwordFile = path.join(staged, PASSWORD_FILE);
  chmodSync(staged, 0o700);
  writeFileSync(passwordFile, randomBytes(24).toString('base64url'), { mode: 0o600 });
  if (request.runAs) {
    chownSync(staged, request.runAs.uid, request.runAs.gid);
    chownSync(passwordFile, request.runAs.uid, request.runAs.gid);
  }
  await runInitdb(request, path.join(staged, DATA_FOLDER), passwordFile);
  return staged;
}

async function runInitdb(
  request: ClusterRequest,
  dataDirectory: string,
  passwordFile: string,
): Promise<void> {
  const options = ['-D', dataDirectory, '-U', POSTGRES_USER, '--pwfile', passwordFile];
  options.push('--auth=scram-sha-256', '--encoding=UTF8', '--locale=C', '--no-instructions');
  if (!request.durable) options.push('--no-sync');
  // One call for the whole file system instead of one for each of a thousand files; only Linux has it.
  else if (process.platform === 'linux') options.push('--sync-method=syncfs');
  const child = spawn(request.binaries.initdb, options, {
    ...request.runAs,
    cwd: '/',
    detached: true,
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const release = child.pid ? guardProcess(child.pid, 'TERM') : undefined;
  let output = '';
  const collect = (chunk: Buffer) => {
    output += chunk.toString();
  };
  child.stdout.on('data', collect);
  child.stderr.on('data', collect);
  const end = await endOf(child).finally(() => release?.());
  if (end.code !== 0) throw new Error(`initdb ${describeEnd(end)}: ${output.trim()}`);
}
