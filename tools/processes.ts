import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import os from 'node:os';

/** The servers that are compared run on one core; the stores and the clients on another. */
export const cores = { server: '0', others: '1', all: `0-${os.cpus().length - 1}` } as const;

const canPin = os.cpus().length > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** Keeps a process, its threads, and what it starts later on these cores, where there is taskset. */
export function pinProcess(pid: number, allowed: (typeof cores)[keyof typeof cores]): void {
  if (canPin) spawnSync('taskset', ['-acp', allowed, String(pid)], { stdio: 'ignore' });
}

/** What /proc counts processor time in: 100 ticks a second on every architecture that Node runs on. */
const millisecondsPerTick = 10;

/** Milliseconds of processor time so far, threads included; NaN where there is no /proc. */
export function processMilliseconds(pid: number): number {
  const [user = Number.NaN, system = Number.NaN] = readTimes(pid);
  return user + system;
}

/** As `processMilliseconds`, with all processes that it ever started. */
export function familyMilliseconds(pid: number): number {
  return familyOf(pid)
    .flatMap(readTimes)
    .reduce((sum, value) => sum + value, 0);
}

/** Ids of the process and of its children. */
export function familyOf(pid: number): number[] {
  const children = readProc(`/proc/${pid}/task/${pid}/children`) ?? '';
  return [pid, ...children.split(' ').filter(Boolean).map(Number)];
}

/** Resident memory; NaN where there is no /proc. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProc(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}

/** User and system time of the process, then of its children that have ended (proc(5)). */
function readTimes(pid: number): number[] {
  const text = readProc(`/proc/${pid}/stat`) ?? '';
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map((ticks) => Number(ticks) * millisecondsPerTick);
}

/** Undefined where there is no such process any more. */
function readProc(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}
