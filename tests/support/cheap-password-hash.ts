import { argon2Sync, randomBytes } from 'node:crypto';

/** The least that Argon2 can do (RFC 9106 §3.1). */
const cost = { memory: 8, passes: 1, parallelism: 1 };

/**
 * What an account keeps of `password`, for accounts that a test is not about: a sign-in costs what the hash says, and
 * at the service's own cost the passwords of all tests together would take a minute.
 */
export function cheapPasswordHash(password: string): string {
  const salt = randomBytes(16);
  const message = password.normalize('NFKC');
  const tag = argon2Sync('argon2id', { message, nonce: salt, tagLength: 32, ...cost });
  const { memory, passes, parallelism } = cost;
  return `$argon2id$v=19$m=${memory},t=${passes},p=${parallelism}$${toBase64(salt)}$${toBase64(tag)}`;
}

/** Base64 without padding, as the PHC string format has it. */
function toBase64(bytes: Buffer): string {
  return bytes.toString('base64').replace(/=+$/, '');
}
