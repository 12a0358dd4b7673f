import { renameSync, writeFileSync } from 'node:fs';

/** Readers see the old content or the new one, also after a crash. Only the owner can read the file. */
export function writeFileAtomically(file: string, content: string): void {
  const staged = `${file}.${process.pid}.new`;
  writeFileSync(staged, content, { mode: 0o600, flush: true });
  renameSync(staged, file);
}
