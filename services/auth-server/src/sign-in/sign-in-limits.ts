import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { foldEmailAddress } from '../accounts/email-address.ts';
import type { Context } from '../context.ts';

/** `waitSeconds`: until another attempt is allowed. */
export type Attempt =
  | { isAllowed: true; refund(): Promise<void> }
  | { isAllowed: false; waitSeconds: number };

type Counted = { limiter: RateLimiter; key: string };

/** An account's attempts count whether or not there is such an account; whoever reads the keys learns no address. */
function accountLimitKey(email: string): string {
  return createHash('sha256').update(foldEmailAddress(email)).digest('base64url');
}

/**
 * Counts an attempt to sign in before its password is looked at, so that guesses made at once can't all pass.
 * Give it back when it turns out to be none that failed.
 */
export function countSignIn(context: Context, req: IncomingMessage, email: string): Promise<Attempt> {
  const { signInByAddress, signInByAccount } = context.limiters;
  return countAttempt([
    ...byAddress(context, signInByAddress, req),
    { limiter: signInByAccount, key: accountLimitKey(email) },
  ]);
}

/**
 * Counts an attempt to sign up before an account is made. Give it back when none was, unless it told whether an address
 * has an account.
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
      // An account that is locked must not lock the address of whoever tries it on.
      await refund();
      return { isAllowed: false, waitSeconds: Math.max(1, retryAfterSeconds) };
    }
    counted.push({ limiter, key });
  }
  return { isAllowed: true, refund };
}
