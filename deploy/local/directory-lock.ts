import { accessSync, constants, existsSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const LOCK_FILE = 'in-use.lock';
/** `isDirectoryLocked` holds the lock for an instant; a start that meets it waits this long before it gives up. */
const ACQUIRE_TIMEOUT_MILLISECONDS = 300;
const SQLITE_BUSY = 5;

export class DirectoryInUseError extends Error {
  readonly directory: string;

  constructor(directory: string) {
    super(`${directory} is in use by another process`);
    this.name = 'DirectoryInUseError';
    this.directory = directory;
  }
}

export type DirectoryLock = { release(): void };

/**
 * Takes the directory for this process until `release` or the end of the process, however it ends.
 * SQLite's exclusive lock is a lock of the kernel, so no stale lock survives a `kill -9` or a reused process id.
 * Throws DirectoryInUseError when another process holds it.
 */
export function lockDirectory(directory: string): DirectoryLock {
  const file = path.join(directory, LOCK_FILE);
  // SQLite would be content to open another user's file for reading, and lock nothing.
  if (existsSync(file)) accessSync(file, constants.W_OK);
  const database = new DatabaseSync(file, { timeout: ACQUIRE_TIMEOUT_MILLISECONDS });
  try {
    // Nothing is ever written, so no journal is needed beside the file.
    database.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (error) {
    database.close();
    throw isBusy(error) ? new DirectoryInUseError(directory) : error;
  }
  let held = true;
  return {
    release: () => {
      if (held) database.close();
      held = false;
    },
  };
}

/** Whether some process (this one included) holds the directory right now. */
export function isDirectoryLocked(directory: string): boolean {
  let database: DatabaseSync;
  try {
    database = new DatabaseSync(path.join(directory, LOCK_FILE), { readOnly: true });
  } catch {
    return false;
  }
  try {
    database.exec('SELECT count(*) FROM sqlite_master');
    return false;
  } catch (error) {
    if (isBusy(error)) return true;
    throw error;
  } finally {
    database.close();
  }
}

function isBusy(error: unknown): boolean {
  return error instanceof Error && 'errcode' in error && error.errcode === SQLITE_BUSY;
}
