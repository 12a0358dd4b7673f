import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

const sqliteBusy = 5;

/**
 * Holds the data directory until it is disposed or this process ends, however it does. Undefined while
 * another start holds it: two would each make a secret, and one's would be lost.
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
