import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, mkdirSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { type DirectoryLock, lockDirectory } from './directory-lock.ts';
import { findFreePort } from './free-port.ts';
import { findPostgresBinaries, type PostgresBinaries } from './postgres-binaries.ts';
import { type Cluster, ensureCluster, POSTGRES_ENVIRONMENT, POSTGRES_USER } from './postgres-cluster.ts';
import { CLUSTER_FOLDER, resolvePostgresHome } from './postgres-home.ts';
import { clearEarlierPostmaster, readPostmasterFile } from './postmaster-file.ts';
import { describeEnd, endOf, letGo, type ProcessEnd, stopProcess } from './process-end.ts';
import { guardProcess } from './process-guardian.ts';
import { type RunAs, unprivilegedUser } from './unprivileged-user.ts';

export type EmbeddedPostgres = {
  /** postgres://user:password@127.0.0.1:port/postgres, of a superuser. */
  url: string;
  port: number;
  pid: number;
  /** The folder that holds the cluster: the given directory, unless PostgreSQL's account can't reach that. */
  home: string;
  /** Resolves when the server has ended, whatever ended it. */
  ended: Promise<ProcessEnd>;
  /** Fast shutdown: open connections are cut, everything committed is on disk. */
  stop(): Promise<void>;
};

export type EmbeddedPostgresOptions = {
  /** Made when missing; holds the cluster, or a note where the cluster is. */
  directory: string;
  /** A free one is chosen when not given. */
  port?: number | undefined;
  /** Server settings, as in postgresql.conf. `fsync: 'off'` also skips syncing the new cluster. */
  settings?: Record<string, string>;
  onProgress?: (message: string) => void;
};

const READY_TIMEOUT_MILLISECONDS = 60_000;
const POLL_MILLISECONDS = 10;
/** Obstacles that pass: a port still taken, backends of a killed server that have not noticed yet. */
const PASSING_OBSTACLE =
  /Address already in use|could not create any TCP\/IP sockets|pre-existing shared memory block/;
const OBSTACLE_TIMEOUT_MILLISECONDS = 15_000;
const OBSTACLE_RETRY_MILLISECONDS = 200;
const KEPT_OUTPUT_CHARACTERS = 8_192;
const STOP_STEPS = [
  { signal: 'SIGINT', graceMilliseconds: 15_000 },
  { signal: 'SIGQUIT', graceMilliseconds: 6_000 },
  { signal: 'SIGKILL', graceMilliseconds: 1_000 },
] as const;

/**
 * Starts a real PostgreSQL on 127.0.0.1 that ends with this process.
 * Throws DirectoryInUseError when another process runs one in the same directory, an Error with PostgreSQL's own
 * words when it can't start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions): Promise<EmbeddedPostgres> {
  if (process.platform === 'win32') {
    throw new Error(
      'the embedded database does not run on Windows: set DATABASE_URL to use a PostgreSQL server',
    );
  }
  const directory = path.resolve(options.directory);
  mkdirSync(directory, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
  const locks = [lockDirectory(directory)];
  try {
    const runAs = unprivilegedUser(path.join(directory, CLUSTER_FOLDER));
    const home = resolvePostgresHome(directory, runAs);
    // A copied directory points to the same home as the original: only one of them may use it.
    if (home !== directory) locks.push(lockDirectory(home));
    const binaries = findPostgresBinaries(runAs, home);
    const durable = options.settings?.fsync !== 'off';
    const cluster = await ensureCluster({ home, binaries, runAs, durable, onProgress: options.onProgress });
    await clearEarlierPostmaster(cluster.dataDirectory);
    const server = await launchPastObstacles({ home, binaries, cluster, runAs, options });
    void server.ended.then(() => releaseAll(locks));
    return server;
  } catch (error) {
    releaseAll(locks);
    throw error;
  }
}

function releaseAll(locks: readonly DirectoryLock[]): void {
  for (const lock of locks) lock.release();
}

type Launch = {
  home: string;
  binaries: PostgresBinaries;
  cluster: Cluster;
  runAs: RunAs;
  options: EmbeddedPostgresOptions;
};

class PostgresStartError extends Error {}

async function launchPastObstacles(launch: Launch): Promise<EmbeddedPostgres> {
  const deadline = Date.now() + OBSTACLE_TIMEOUT_MILLISECONDS;
  for (;;) {
    try {
      return await launchServer(launch, launch.options.port ?? (await findFreePort()));
    } catch (error) {
      const passes = error instanceof PostgresStartError && PASSING_OBSTACLE.test(error.message);
      if (!passes || Date.now() > deadline) throw error;
      await delay(OBSTACLE_RETRY_MILLISECONDS);
    }
  }
}

async function launchServer(launch: Launch, port: number): Promise<EmbeddedPostgres> {
  const { dataDirectory, password } = launch.cluster;
  const child = spawn(launch.binaries.postgres, serverArguments(launch, port), {
    ...launch.runAs,
    cwd: '/',
    detached: true,
    env: POSTGRES_ENVIRONMENT,
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const ended = endOf(child);
  const { pid } = child;
  if (pid === undefined) {
    await ended;
    throw new Error('PostgreSQL could not be started');
  }
  const release = guardProcess(pid, 'INT');
  void ended.then(release);
  const output = keepOutput(child);
  if (!(await becomesReady(child, dataDirectory, port))) {
    await stopProcess(child, ended, [{ signal: 'SIGKILL', graceMilliseconds: 1_000 }]);
    throw new PostgresStartError(`PostgreSQL ${describeEnd(await ended)} while starting: ${output().trim()}`);
  }
  letGo(child);
  const url = `postgres://${POSTGRES_USER}:${password}@127.0.0.1:${port}/postgres`;
  return { url, port, pid, home: launch.home, ended, stop: () => stopProcess(child, ended, STOP_STEPS) };
}

function serverArguments({ cluster, options }: Launch, port: number): string[] {
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    // Statements hold what people wrote; they have no place in a log.
    log_min_error_statement: 'panic',
    // After a crash: one call for the whole file system instead of one for each file.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    ...options.settings,
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  return ['-D', cluster.dataDirectory, '-p', String(port), ...assignments];
}

async function becomesReady(child: ChildProcess, dataDirectory: string, port: number): Promise<boolean> {
  const deadline = Date.now() + READY_TIMEOUT_MILLISECONDS;
  while (child.exitCode === null && child.signalCode === null && Date.now() < deadline) {
    const file = existsSync(dataDirectory) ? readPostmasterFile(dataDirectory) : undefined;
    if (file?.pid === child.pid && file?.port === port && file.ready) return true;
    await delay(POLL_MILLISECONDS);
  }
  return false;
}

function keepOutput(child: ChildProcess): () => string {
  let output = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    output = (output + chunk.toString()).slice(-KEPT_OUTPUT_CHARACTERS);
  });
  return () => output;
}
