import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { hashSecret } from '#shared/tokens/secret.ts';
import { query } from '../database/query.ts';

/**
 * Signed instead of stored, so that opening the sign-in page writes nothing; only used challenges are stored.
 */
export type Challenges = {
  issue(purpose: string): string;
  /** Whether `challenge` was issued to this browser, for this purpose, within the last hour. */
  isOwn(purpose: string, challenge: string): boolean;
};

const lifetimeMilliseconds = 3_600_000;
const randomLength = 16;
const timeLength = 6;
const macLength = 32;

/** `browserSecret`: of the browser's `csrf` cookie. */
export function createChallenges(
  { pageSecret, now }: { pageSecret: Buffer; now: Date },
  browserSecret: string,
): Challenges {
  const sign = (purpose: string, head: Buffer): Buffer =>
    createHmac('sha256', pageSecret).update(`passkey\n${browserSecret}\n${purpose}\n`).update(head).digest();
  return {
    issue(purpose) {
      const head = randomBytes(timeLength + randomLength);
      head.writeUIntBE(now.getTime() + lifetimeMilliseconds, 0, timeLength);
      return Buffer.concat([head, sign(purpose, head)]).toString('base64url');
    },
    isOwn(purpose, challenge) {
      const bytes = Buffer.from(challenge, 'base64url');
      if (bytes.length !== timeLength + randomLength + macLength) return false;
      const head = bytes.subarray(0, timeLength + randomLength);
      const isOurs = timingSafeEqual(sign(purpose, head), bytes.subarray(head.length));
      return isOurs && head.readUIntBE(0, timeLength) > now.getTime();
    },
  };
}

/** Whether the challenge was not used before (WebAuthn §13.4.3). */
export async function consumeChallenge(em: EntityManager, challenge: string, now: Date): Promise<boolean> {
  const expiresAt = new Date(now.getTime() + lifetimeMilliseconds);
  const consumed = await query(em)`insert into auth.used_challenge (challenge_hash, expires_at)
    values (${hashSecret(challenge)}, ${expiresAt}) on conflict do nothing returning 1`;
  return consumed.length > 0;
}
