import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RateLimiter } from '#shared/rate-limit/window-limiter.ts';
import { spellingsOf } from '../accounts/account-schema.ts';
import type { Context } from '../context.ts';
import { browserIdFor, findKnownBrowser } from './known-browser.ts';

/** `waitSeconds`: until another attempt is allowed. */
export type Attempt =
  | { isAllowed: true; refund(): Promise<void> }
  | { isAllowed: false; waitSeconds: number };

/** What is found of a guess that was counted. One that could not be verified does not count. */
export async function verifyCounted<Result>(
  { refund }: Extract<Attempt, { isAllowed: true }>,
  verifying: Promise<Result>,
): Promise<Result> {
  return verifying.catch(async (error: unknown) => {
    await refund();
    throw error;
  });
}

type Counted = { limiter: RateLimiter; key: string };

/**
 * Counts an attempt to sign in before its password is verified, so that parallel guesses cannot all pass. To be
 * refunded unless the password was wrong. An account's attempts count whether or not the account exists. Those of a
 * browser that signed in to it before count for themselves: no stranger uses them up.
 */
export async function countSignIn(context: Context, req: IncomingMessage, email: string): Promise<Attempt> {
  const { signInByAddress, signInByAccount, signInByBrowser } = context.limiters;
  const browser = await findKnownBrowser(context, req, email);
  if (browser !== undefined) return countAttempt([{ limiter: signInByBrowser, key: browser }]);
  const key = keyOfEmail(email);
  return countAttempt([...byAddress(context, signInByAddress, req), { limiter: signInByAccount, key }]);
}

/** Counts a code that follows a right password; known browsers count apart, so a thief cannot lock the owner out. */
export function countCode(context: Context, req: IncomingMessage, accountId: string): Promise<Attempt> {
  const key = browserIdFor(context, req, accountId) ?? accountId;
  return countAttempt([{ limiter: context.limiters.secondFactor, key }]);
}

/** Counts a set of recovery codes that is made: each costs ten slow hashes. */
export function countNewCodes({ limiters }: Context, accountId: string): Promise<Attempt> {
  return countAttempt([{ limiter: limiters.secondFactor, key: `new codes of ${accountId}` }]);
}

/** The same for each spelling, and hashed: the keys in Redis reveal no addresses. */
function keyOfEmail(email: string): string {
  return hash('sha256', spellingsOf(email).toSorted().join(' '), 'base64url');
}

/** Counts a link to an address, known or not; whether one may be sent. Nobody's mailbox is flooded. */
export async function countPasswordReset(context: Context, email: string): Promise<boolean> {
  const { isAllowed } = await context.limiters.passwordReset.consume(keyOfEmail(email));
  return isAllowed;
}

/** Counts a link that confirms an address, whether or not it has an account. */
export async function countAddressLink(context: Context, email: string): Promise<boolean> {
  const { isAllowed } = await context.limiters.addressLink.consume(keyOfEmail(email));
  return isAllowed;
}

/** Counts a link that an account has sent to an address of its choice: it is no means to write to strangers. */
export function countLinkOf({ limiters }: Context, accountId: string): Promise<Attempt> {
  return countAttempt([{ limiter: limiters.addressLink, key: accountId }]);
}

/**
 * Counts an attempt to sign up before the account is made. To be refunded when none was made, unless the answer
 * revealed that an address has an account.
 */
export function countSignUp(context: Context, req: IncomingMessage): Promise<Attempt> {
  return countAttempt(byAddress(context, context.limiters.signUp, req));
}

function byAddress({ addressKeyOf }: Context, limiter: RateLimiter, req: IncomingMessage): Counted[] {
  const key = addressKeyOf(req);
  return key === undefined ? [] : [{ limiter, key }];
}

async function countAttempt(wanted: readonly Counted[]): Promise<Attempt> {
  const counted: Counted[] = [];
  const refund = async (): Promise<void> => {
    await Promise.all(counted.map(({ limiter, key }) => limiter.refund(key)));
  };
  for (const { limiter, key } of wanted) {
    const { isAllowed, retryAfterSeconds } = await limiter.consume(key);
    if (!isAllowed) {
      // A limited account must not use up the limit of the address.
      await refund();
      return { isAllowed: false, waitSeconds: Math.max(1, retryAfterSeconds) };
    }
    counted.push({ limiter, key });
  }
  return { isAllowed: true, refund };
}
