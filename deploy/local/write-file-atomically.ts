import { renameSync, writeFileSync } from 'node:fs';

/** Readers see the old or the new content, even after a crash. Only the owner can read the file. */
export function writeFileAtomically(file: string, content: string): void {
  const staged = `${file}.${process.pid}.new`;
  writeFileSync(staged, content, { mode: 0o600, flush: true });
  renameSync(staged, file);
}
