import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { captureErrors, describeEnd, endOf, spawnDependent, stopProcess } from './child-process.ts';
import { findFreePort } from './free-port.ts';
import { type Cluster, openCluster, superuser } from './postgres-cluster.ts';
import { commandOf } from './process-command.ts';

export type EmbeddedPostgresOptions = {
  /** Created if missing; contains the cluster, or a file with its location. */
  directory: string;
  /** Default: a free one. */
  port?: number | undefined;
  /** Server settings, as in postgresql.conf. `fsync: 'off'` also skips syncing the new cluster. */
  settings?: Record<string, string>;
  onProgress?: (message: string) => void;
};

/** Transient: the server of a killed start is still shutting down, or holds its port or shared memory. */
const transientFailure = /postmaster\.pid" already exists|Address already in use|shared memory block/;
const obstacleMilliseconds = 15_000;
const pollMilliseconds = 20;

class PostgresStartError extends Error {}

/**
 * Starts PostgreSQL on 127.0.0.1; it ends with this process. Throws an Error with PostgreSQL's message if it
 * cannot start.
 */
export async function startEmbeddedPostgres(options: EmbeddedPostgresOptions) {
  if (process.platform === 'win32')
    throw new Error('the embedded database does not run on Windows: set DATABASE_URL');
  const cluster = await openCluster(path.resolve(options.directory), {
    isDurable: options.settings?.fsync !== 'off',
    onCreate: () => options.onProgress?.('Creating the database cluster … (first start only)'),
  });
  const deadline = performance.now() + obstacleMilliseconds;
  for (;;) {
    try {
      return await launch(cluster, options);
    } catch (error) {
      const passes = error instanceof PostgresStartError && transientFailure.test(error.message);
      if (!passes || performance.now() > deadline) throw error;
      await delay(10 * pollMilliseconds);
    }
  }
}

async function launch(cluster: Cluster, options: EmbeddedPostgresOptions) {
  const { home, dataDirectory, password } = cluster;
  removeForeignFile(dataDirectory);
  const port = options.port ?? (await findFreePort());
  const settings = {
    listen_addresses: '127.0.0.1',
    unix_socket_directories: '',
    logging_collector: 'off',
    // Statements contain user data and must not be logged.
    log_min_error_statement: 'panic',
    ...options.settings,
  };
  const assignments = Object.entries(settings).flatMap(([name, value]) => ['-c', `${name}=${value}`]);
  const child = spawnDependent(
    path.join(cluster.programs, 'postgres'),
    ['-D', dataDirectory, '-p', String(port), ...assignments],
    { ...cluster.processOptions, stdio: ['ignore', 'ignore', 'pipe'] },
  );
  const errors = captureErrors(child);
  const ended = endOf(child);
  const isRunning = () => child.exitCode === null && child.signalCode === null;
  while (isRunning() && !isReady(dataDirectory, child.pid)) await delay(pollMilliseconds);
  if (!isRunning() || child.pid === undefined)
    throw new PostgresStartError(`PostgreSQL ${describeEnd(await ended)} while starting: ${await errors()}`);
  return {
    /** Of a superuser. */
    url: `postgres://${superuser}:${password}@127.0.0.1:${port}/postgres`,
    port,
    pid: child.pid,
    home,
    ended,
    /** Of its log, once it has ended. */
    lastLines: async () => (await errors()).split('\n').slice(-5),
    /** Fast shutdown: connections are closed, committed data is on disk. */
    stop: () => stopProcess(child, 'SIGINT'),
  };
}

/** Line 1 is the server's process id, line 8 its state. */
function readPostmasterFile(dataDirectory: string): string[] {
  const file = path.join(dataDirectory, 'postmaster.pid');
  return existsSync(file) ? readFileSync(file, 'utf8').split('\n') : [];
}

function isReady(dataDirectory: string, pid: number | undefined): boolean {
  const lines = readPostmasterFile(dataDirectory);
  return Number(lines[0]) === pid && lines[7]?.trim() === 'ready';
}

/**
 * Removes a lock file left by a crash whose process id is now another program's: it would prevent the start.
 */
function removeForeignFile(dataDirectory: string): void {
  const command = commandOf(Number(readPostmasterFile(dataDirectory)[0]));
  if (command !== '' && !command.includes(dataDirectory)) rmSync(path.join(dataDirectory, 'postmaster.pid'));
}
