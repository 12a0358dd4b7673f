import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * Locks the data directory until the lock is disposed or the process ends, killed or not. Undefined while
 * another process has the lock: both would create a key-encryption secret, and one would be lost.
 */
export function lockData(dataDirectory: string): Disposable | undefined {
  const file = new DatabaseSync(path.join(dataDirectory, 'lock'));
  try {
    file.exec('begin exclusive');
    return file;
  } catch (error) {
    file.close();
    if (error instanceof Error && 'errcode' in error && error.errcode === sqliteBusy) return undefined;
    throw error;
  }
}
