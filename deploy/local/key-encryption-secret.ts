import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from './write-file-atomically.ts';

const SECRET_BYTES = 32;

/** The secret that the signing keys in the database are encrypted with: made once, then always the same. */
export function keepKeyEncryptionSecret(dataDirectory: string): string {
  const file = path.join(dataDirectory, 'key-encryption-secret');
  if (!existsSync(file)) writeFileAtomically(file, `${randomBytes(SECRET_BYTES).toString('base64url')}\n`);
  return readFileSync(file, 'utf8').trim();
}
