import { spawn } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { endOf } from '#local/child-process.ts';

/** Stopped processes hear no other signal, so whoever stops them also wakes them, whatever becomes of this process. */
const script =
  'kill -STOP "$1" || exit 1; kill -STOP "$@" 2>/dev/null; sleep "$SECONDS_FROZEN"; kill -CONT "$@" 2>/dev/null; exit 0';

/** Stops the processes (SIGSTOP) and resolves when they go on again. Throws an Error when the first is not there. */
export async function freezeProcesses(pids: readonly number[], milliseconds: number): Promise<void> {
  const child = spawn('/bin/sh', ['-c', script, 'freeze', ...pids.map(String)], {
    detached: true,
    env: { PATH: '/usr/bin:/bin', SECONDS_FROZEN: String(milliseconds / 1_000) },
    stdio: 'ignore',
  });
  const { code } = await endOf(child);
  if (code !== 0) throw new Error(`processes ${pids.join(', ')} could not be frozen`);
}

/** The process and those it started, such as PostgreSQL's backends. */
export function withChildren(pid: number): number[] {
  const children = readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && parentOf(name) === pid)
    .map(Number);
  return [pid, ...children];
}

function parentOf(pid: string): number | undefined {
  try {
    return Number(/^PPid:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]);
  } catch {
    // It has ended while the others were looked at.
    return undefined;
  }
}
