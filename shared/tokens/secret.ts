import { hash, randomBytes } from 'node:crypto';

/** 256 random bits, for a cookie or a link. */
export function newSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** What is stored of a secret: its own random bits make a slow or salted hash needless. */
export function hashSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
