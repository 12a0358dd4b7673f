import { closeSync, fsyncSync, openSync, renameSync, rmSync, writeSync } from 'node:fs';

/** Readers see the old content or the new one, also after a crash. Only the owner can read the file. */
export function writeFileAtomically(file: string, content: string): void {
  const staged = `${file}.${process.pid}.new`;
  rmSync(staged, { force: true });
  const descriptor = openSync(staged, 'wx', 0o600);
  try {
    writeSync(descriptor, content);
    fsyncSync(descriptor);
  } finally {
    closeSync(descriptor);
  }
  renameSync(staged, file);
}
