import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { writeFileAtomically } from './write-file-atomically.ts';

const secretBytes = 32;
export const newSigningKeysOption = '--new-signing-keys';

/**
 * The secret that encrypts the signing keys: created once, then constant. Throws if it is missing and
 * `mayBeMade` is false.
 */
export function keepKeyEncryptionSecret(dataDirectory: string, mayBeMade: boolean): string {
  const file = path.join(dataDirectory, 'key-encryption-secret');
  if (!existsSync(file)) {
    if (!mayBeMade) throw new Error(whatToDoWithout(file));
    writeFileAtomically(file, `${randomBytes(secretBytes).toString('base64url')}\n`);
  }
  return readFileSync(file, 'utf8').trim();
}

function whatToDoWithout(file: string): string {
  return [
    `${file} is missing, and nothing else opens the signing keys in the database.`,
    'Put it back, or set KEY_ENCRYPTION_SECRET to what it held.',
    `If it is lost: npm start -- ${newSigningKeysOption}.`,
    'Reminders in browsers then end, and authenticator apps’ codes no longer count; nothing else is lost.',
  ].join('\n');
}
