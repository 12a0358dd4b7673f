import { mkdirSync } from 'node:fs';
import { DirectoryInUseError, lockDirectory } from './directory-lock.ts';
import { readRunningInstance } from './running-instance.ts';

/** Makes the data directory when it is missing and takes it for this process. Throws when that can't be. */
export function holdDataDirectory(directory: string): Disposable {
  try {
    // PostgreSQL's account must be able to pass through a directory of root's.
    mkdirSync(directory, { recursive: true, mode: process.getuid?.() === 0 ? 0o711 : 0o700 });
    const lock = lockDirectory(directory);
    return { [Symbol.dispose]: lock.release };
  } catch (error) {
    if (error instanceof DirectoryInUseError) throw new Error(whoHolds(directory));
    const reason = error instanceof Error ? error.message : error;
    throw new Error(
      `The data directory ${directory} can't be used (${reason}): set DATA_DIR to another one.`,
    );
  }
}

function whoHolds(directory: string): string {
  const running = readRunningInstance(directory);
  const where = running ? ` at ${running.baseUrl} (process ${running.pid})` : '';
  return `It is already running${where} on the data in ${directory}: set DATA_DIR to start another one.`;
}
