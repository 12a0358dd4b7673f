import { hash, randomBytes } from 'node:crypto';

/** The secret of a link that is sent by mail; its hash alone is stored. */
export function newLinkSecret(): string {
  return randomBytes(32).toString('base64url');
}

/** The secrets' own 256 bits make a slow or salted hash needless. */
export function hashLinkSecret(secret: string): Buffer {
  return hash('sha256', secret, 'buffer');
}
