import { execFileSync, spawnSync } from 'node:child_process';
import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { isAlive } from './process-alive.ts';

export type PostmasterFile = { pid: number; port: number; ready: boolean };

const POLL_MILLISECONDS = 10;
const FAST_SHUTDOWN_MILLISECONDS = 10_000;

/** What the server says of itself: process id (line 1), port (4) and state (8). */
export function readPostmasterFile(dataDirectory: string): PostmasterFile | undefined {
  const lines = readLines(dataDirectory);
  const pid = Number(lines?.[0]);
  if (!lines || !Number.isInteger(pid) || pid <= 0) return undefined;
  return { pid, port: Number(lines[3]), ready: lines[7]?.trim() === 'ready' };
}

/**
 * Deals with what an earlier run left behind; the caller holds the directory, so nobody else is using it.
 * A server that outlived its launcher is shut down. A file that names a process which is not this server (ids are
 * reused, above all in containers) would stop PostgreSQL from starting: it then gets the id of a process that has
 * ended. The file itself stays, because PostgreSQL finds surviving backends by the rest of it.
 */
export async function clearEarlierPostmaster(dataDirectory: string): Promise<void> {
  const earlier = readPostmasterFile(dataDirectory);
  if (!earlier) return;
  if (commandOf(earlier.pid).includes(dataDirectory)) await shutDown(earlier.pid);
  const lines = readLines(dataDirectory);
  if (!lines || !isAlive(earlier.pid)) return;
  lines[0] = String(spawnSync('/bin/sh', ['-c', ':']).pid);
  writeFileSync(path.join(dataDirectory, 'postmaster.pid'), lines.join('\n'));
}

async function shutDown(pid: number): Promise<void> {
  signalProcess(pid, 'SIGINT');
  const deadline = Date.now() + FAST_SHUTDOWN_MILLISECONDS;
  while (commandOf(pid) !== '') {
    if (Date.now() > deadline) signalProcess(pid, 'SIGKILL');
    await delay(POLL_MILLISECONDS);
  }
}

function readLines(dataDirectory: string): string[] | undefined {
  try {
    return readFileSync(path.join(dataDirectory, 'postmaster.pid'), 'utf8').split('\n');
  } catch {
    return undefined;
  }
}

function signalProcess(pid: number, signal: NodeJS.Signals): void {
  try {
    process.kill(pid, signal);
  } catch (error) {
    if (isAlive(pid)) throw error;
  }
}

/** The command line of a process; empty for one that has ended and only waits to be collected. */
function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
