import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { retryAfterSecondsOf } from '#shared/rate-limit/limit-headers.ts';
import type { RateLimiter } from '#shared/rate-limit/window-limiter.ts';
import { spellingsOf } from '../accounts/account-schema.ts';
import type { Context } from '../context.ts';
import { formatWait } from '../html/text.ts';
import { browserIdFor, findKnownBrowser } from './known-browser.ts';

/** `headers` and the sentence `tryAgain` say when another attempt is allowed. */
type Attempt =
  | { isAllowed: true; refund(): Promise<void> }
  | { isAllowed: false; headers: { 'Retry-After': string }; tryAgain: string };

/** The result of a counted attempt. An attempt that could not be verified is refunded. */
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
 * Counts an attempt to sign in before its password is verified, so that parallel guesses cannot exceed the
 * limit. Refund it unless the password was wrong. Attempts count whether or not the account exists. Browsers
 * known to the account are counted separately, so others cannot lock them out.
 */
export async function countSignIn(context: Context, req: IncomingMessage, email: string): Promise<Attempt> {
  const { signInByAddress, signInByAccount, signInByBrowser } = context.limiters;
  const browser = await findKnownBrowser(context, req, email);
  if (browser !== undefined) return countAttempt([{ limiter: signInByBrowser, key: browser }]);
  const key = keyOfEmail(email);
  return countAttempt([...byAddress(context, signInByAddress, req), { limiter: signInByAccount, key }]);
}

/**
 * Counts a code after a correct password; known browsers are counted separately, so an attacker cannot lock
 * the owner out.
 */
export function countCode(context: Context, req: IncomingMessage, accountId: string): Promise<Attempt> {
  const key = browserIdFor(context, req, accountId) ?? accountId;
  return countAttempt([{ limiter: context.limiters.secondFactor, key }]);
}

/** Counts a set of recovery codes that is made: each costs ten slow hashes. */
export function countNewCodes({ limiters }: Context, accountId: string): Promise<Attempt> {
  return countAttempt([{ limiter: limiters.secondFactor, key: `new codes of ${accountId}` }]);
}

/** Equal for all spellings of an address, and hashed, so that keys in Redis reveal no addresses. */
function keyOfEmail(email: string): string {
  return hash('sha256', spellingsOf(email).toSorted().join(' '), 'base64url');
}

/** Counts a link to an address, whether or not it has an account; returns whether it may be sent. */
export async function countLinkTo(limiter: RateLimiter, email: string): Promise<boolean> {
  return (await limiter.consume(keyOfEmail(email))).isAllowed;
}

/**
 * Counts a link that an account sends to an address of its choice: it must not serve to send mail to others.
 */
export function countLinkOf({ limiters }: Context, accountId: string): Promise<Attempt> {
  return countAttempt([{ limiter: limiters.addressLink, key: accountId }]);
}

/**
 * Counts an attempt to sign up before the account is created. Refund it if none was created, unless the
 * response revealed that an address has an account.
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
    const verdict = await limiter.consume(key);
    if (!verdict.isAllowed) {
      // A limited account must not use up the limit of the address.
      await refund();
      const seconds = retryAfterSecondsOf(verdict);
      const headers = { 'Retry-After': String(seconds) };
      return { isAllowed: false, headers, tryAgain: `Try again ${formatWait(seconds)}.` };
    }
    counted.push({ limiter, key });
  }
  return { isAllowed: true, refund };
}
