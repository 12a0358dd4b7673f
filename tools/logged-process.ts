import type { ChildProcess } from 'node:child_process';
import { closeSync, openSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { endOf, type ProcessEnd, spawnDependent } from '#local/child-process.ts';
import type { Environment } from '#shared/config/read-env.ts';

/** A process of the project that writes its output to a file; it ends with this one. */
export type LoggedProcess = { child: ChildProcess; pid: number; ended: Promise<ProcessEnd> };

const project = path.join(import.meta.dirname, '..');

/** `commandLine`: Node's arguments. Throws an Error when it can't be started. */
export async function startLoggedProcess(
  commandLine: readonly string[],
  environment: Environment,
  logFile: string,
): Promise<LoggedProcess> {
  const log = openSync(logFile, 'a');
  const child = spawnDependent(process.execPath, commandLine, {
    cwd: project,
    env: environment,
    stdio: ['ignore', log, log],
  });
  closeSync(log);
  const ended = endOf(child);
  const { pid } = child;
  if (pid === undefined)
    throw new Error(`${commandLine.join(' ')} could not be started: ${String(await ended)}`);
  child.unref();
  return { child, pid, ended };
}

export function lastLines(logFile: string): string {
  return readFileSync(logFile, 'utf8').trim().split('\n').slice(-5).join(' | ');
}
