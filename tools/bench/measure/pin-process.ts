import { spawnSync } from 'node:child_process';
import os from 'node:os';

/** The servers that are compared run on one core, one at a time; the stores and the clients on another. */
export const cores = { server: 0, others: 1 } as const;

/** Whether processes can be kept on a core here: taskset is there, and a second core. */
export const canPin =
  os.cpus().length > 1 && spawnSync('taskset', ['--version'], { stdio: 'ignore' }).status === 0;

/** Keeps a process, with its threads and what it starts from now on, on one core where that can be done. */
export function pinProcess(pid: number, core: number): void {
  if (canPin) spawnSync('taskset', ['-acp', String(core), String(pid)], { stdio: 'ignore' });
}
