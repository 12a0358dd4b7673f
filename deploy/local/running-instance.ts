import { readFileSync, realpathSync, rmSync } from 'node:fs';
import path from 'node:path';
import type { Environment } from '#shared/config/read-env.ts';
import { commandOf } from './process-command.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** Connection data of a running `npm start` for other programs of this machine. */
export type RunningInstance = {
  pid: number;
  /** Whose data it changes: a copy of that folder holds this file, too. */
  dataDirectory: string;
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  keyEncryptionSecret: string;
  settings: Environment;
};

/** Settings of the services that the operator's commands read, too. */
const settingsOfCommands = [
  'ACCOUNT_DELETION_DAYS',
  'NOTES_TIMEOUT_MILLISECONDS',
  'NOTES_WORKERS',
  'REVOCATION_WAIT',
];

/** The instance running on this data directory; undefined if there is none, or it was killed. */
export function readRunningInstance(dataDirectory: string): RunningInstance | undefined {
  try {
    const instance: RunningInstance = JSON.parse(readFileSync(fileIn(dataDirectory), 'utf8'));
    return commandOf(instance.pid).includes('deploy/local/start.ts') ? instance : undefined;
  } catch {
    return undefined;
  }
}

export function writeRunningInstance(
  dataDirectory: string,
  instance: Omit<RunningInstance, 'dataDirectory' | 'settings'>,
  environment: Environment = {},
): void {
  const settings = Object.fromEntries(settingsOfCommands.map((name) => [name, environment[name]]));
  const written: RunningInstance = { ...instance, settings, dataDirectory: realpathSync(dataDirectory) };
  writeFileAtomically(fileIn(dataDirectory), `${JSON.stringify(written, null, 2)}\n`);
}

export function removeRunningInstance(dataDirectory: string): void {
  rmSync(fileIn(dataDirectory), { force: true });
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'runtime.json');
}
