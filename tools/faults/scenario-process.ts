import { fork } from 'node:child_process';
import { chmodSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { endOf, stopProcess } from '#local/child-process.ts';
import type { Outcome } from './scenario.ts';

/** What the process of a scenario says. */
export type ScenarioMessage =
  | { kind: 'progress'; line: string }
  | { kind: 'outcome'; outcome: Outcome }
  | { kind: 'not run'; reason: string }
  | { kind: 'failed'; reason: string };

export type ScenarioEnd = Exclude<ScenarioMessage, { kind: 'progress' }>;

/** How the process of a scenario is told where its services log. */
export const logDirectoryVariable = 'FAULTS_LOG_DIRECTORY';
const logsFolder = path.join(import.meta.dirname, '../../test-output/faults/logs');

/** Runs the scenario in a process of its own, within the limit, and removes its files. Never rejects for its faults. */
export async function runInOwnProcess(
  id: string,
  options: { limitMilliseconds: number; signal: AbortSignal; report(line: string): void },
): Promise<ScenarioEnd> {
  // The account PostgreSQL runs as must be able to pass through.
  const directory = mkdtempSync(path.join(os.tmpdir(), 'faults-'));
  chmodSync(directory, 0o711);
  // What services log outlives the trial, to be read when it missed its goal.
  const logDirectory = path.join(logsFolder, id);
  rmSync(logDirectory, { recursive: true, force: true });
  mkdirSync(logDirectory, { recursive: true });
  const child = fork(path.join(import.meta.dirname, 'run-scenario.ts'), [id], {
    env: { ...process.env, TMPDIR: directory, [logDirectoryVariable]: logDirectory },
    execArgv: [],
  });
  let end: ScenarioEnd = { kind: 'failed', reason: 'it ended without a word' };
  child.on('message', (message: ScenarioMessage) => {
    if (message.kind === 'progress') options.report(message.line);
    else end = message;
  });
  const ended = endOf(child);
  const stop = (reason: string): void => {
    if (child.exitCode !== null) return;
    end = { kind: 'failed', reason };
    void stopProcess(child, 'SIGTERM', 5_000);
  };
  const limit = setTimeout(
    () => stop(`it did not end within ${options.limitMilliseconds / 1_000} s`),
    options.limitMilliseconds,
  );
  const interrupt = (): void => stop('interrupted');
  options.signal.addEventListener('abort', interrupt);
  try {
    await ended;
    return end;
  } finally {
    clearTimeout(limit);
    options.signal.removeEventListener('abort', interrupt);
    await removeDirectory(directory);
  }
}

/** Stores that outlive a killed process by a moment still write there. */
async function removeDirectory(directory: string): Promise<void> {
  for (let turn = 0; turn < 30; turn += 1) {
    try {
      rmSync(directory, { recursive: true, force: true });
    } catch {}
    if (!existsSync(directory)) return;
    await delay(500);
  }
}
