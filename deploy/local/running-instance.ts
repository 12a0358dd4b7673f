import { existsSync, readFileSync, rmSync } from 'node:fs';
import path from 'node:path';
import { isDirectoryLocked } from './directory-lock.ts';
import { isAlive } from './process-alive.ts';
import { writeFileAtomically } from './write-file-atomically.ts';

/** What another program of this machine needs to work on the data of a running `npm start`. */
export type RunningInstance = {
  pid: number;
  baseUrl: string;
  databaseUrl: string;
  redisUrl: string;
  keyEncryptionSecret: string;
};

/** The instance that runs on this data directory now; undefined when none does. Throws when one runs and can't be read. */
export function readRunningInstance(dataDirectory: string): RunningInstance | undefined {
  const file = fileIn(dataDirectory);
  // The lock ends with its holder, so what a killed instance left behind is never taken for a running one.
  if (!existsSync(file) || !isDirectoryLocked(dataDirectory)) return undefined;
  try {
    const instance: RunningInstance = JSON.parse(readFileSync(file, 'utf8'));
    return isAlive(instance.pid) ? instance : undefined;
  } catch (error) {
    const reason = error instanceof Error ? error.message : error;
    throw new Error(
      `an instance runs on the data in ${dataDirectory}, but ${file} can't be read (${reason})`,
    );
  }
}

export function writeRunningInstance(dataDirectory: string, instance: RunningInstance): void {
  writeFileAtomically(fileIn(dataDirectory), `${JSON.stringify(instance, null, 2)}\n`);
}

export function removeRunningInstance(dataDirectory: string): void {
  rmSync(fileIn(dataDirectory), { force: true });
}

function fileIn(dataDirectory: string): string {
  return path.join(dataDirectory, 'runtime.json');
}
