import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';

/** The command line of a process, to detect a reused process id; empty if it does not exist. */
export function commandOf(pid: number): string {
  try {
    if (process.platform === 'linux') return readFileSync(`/proc/${pid}/cmdline`, 'utf8');
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' });
  } catch {
    return '';
  }
}
