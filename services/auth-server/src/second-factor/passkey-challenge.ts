import type { EntityManager } from '@mikro-orm/postgresql';
import { addSeconds } from '#shared/time/clock.ts';
import { hashSecret, newSecret } from '#shared/tokens/secret.ts';
import { query } from '../database/query.ts';
import { readSignedText, signText } from '../keys/signed-text.ts';

export type Challenges = ReturnType<typeof createChallenges>;

const lifetimeSeconds = 3_600;

/**
 * Signed instead of stored, so that opening the sign-in page writes nothing; only used challenges are stored.
 * `browserSecret`: of the browser's `csrf` cookie.
 */
export function createChallenges(
  { pageSecret, now }: { pageSecret: Buffer; now: Date },
  browserSecret: string,
) {
  const signedFor = (purpose: string): string => `passkey\n${browserSecret}\n${purpose}`;
  return {
    issue(purpose: string): string {
      const text = `${newSecret()}.${addSeconds(now, lifetimeSeconds).getTime()}`;
      return Buffer.from(signText(pageSecret, signedFor(purpose), text)).toString('base64url');
    },
    /** Whether `challenge`, any JSON, was issued to this browser, for this purpose, within the last hour. */
    isOwn(purpose: string, challenge: unknown): boolean {
      // Buffer.from would allocate as many bytes as the `length` of an object says.
      if (typeof challenge !== 'string') return false;
      const signed = Buffer.from(challenge, 'base64url').toString();
      const [, expiresAt] = readSignedText(pageSecret, signedFor(purpose), signed)?.split('.') ?? [];
      return Number(expiresAt) > now.getTime();
    },
  };
}

/** Whether the challenge was not used before (WebAuthn §13.4.3). */
export async function consumeChallenge(em: EntityManager, challenge: string, now: Date): Promise<boolean> {
  const consumed = await query(em)`insert into auth.used_challenge (challenge_hash, expires_at)
    values (${hashSecret(challenge)}, ${addSeconds(now, lifetimeSeconds)})
    on conflict do nothing returning 1`;
  return consumed.length > 0;
}
