import { readFileSync } from 'node:fs';

/** What /proc counts processor time in: 100 ticks a second on every architecture that Node runs on. */
const millisecondsPerTick = 10;

/** Processor time that a process has used so far, in milliseconds, its threads included; NaN where there is no /proc. */
export function processMilliseconds(pid: number): number {
  const [user = Number.NaN, system = Number.NaN] = readTimes(pid) ?? [];
  return user + system;
}

/** As `processMilliseconds`, of a process and of all it has ever started: those that have ended are counted too. */
export function familyMilliseconds(pid: number): number {
  const own = sum(readTimes(pid) ?? [Number.NaN]);
  return childrenOf(pid).reduce((total, child) => total + sum(readTimes(child) ?? []), own);
}

/** User and system time of the process, then of its children that have ended. */
function readTimes(pid: number): readonly number[] | undefined {
  const text = readProcFile(`/proc/${pid}/stat`);
  if (text === undefined) return undefined;
  // The name, in parentheses, may hold anything; what follows is one number after the other (proc(5)).
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
  return fields.slice(11, 15).map((ticks) => Number(ticks) * millisecondsPerTick);
}

function childrenOf(pid: number): number[] {
  const list = readProcFile(`/proc/${pid}/task/${pid}/children`);
  if (list !== undefined) return list.split(' ').filter(Boolean).map(Number);
  return [];
}

/** The resident memory of a process in megabytes; NaN where there is no /proc. */
export function residentMegabytes(pid: number): number {
  const kilobytes = /^VmRSS:\s+(\d+)/m.exec(readProcFile(`/proc/${pid}/status`) ?? '')?.[1];
  return Number(kilobytes ?? Number.NaN) / 1_024;
}

/** Ids of the process and of its children. */
export function familyOf(pid: number): number[] {
  return [pid, ...childrenOf(pid)];
}

/** Undefined where there is no /proc, or no such process any more. */
export function readProcFile(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8');
  } catch {
    return undefined;
  }
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
