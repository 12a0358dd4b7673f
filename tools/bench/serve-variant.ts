import process from 'node:process';
import { createApp } from '#resource-api/app.ts';
import type { Authenticator } from '#resource-api/auth/authenticate.ts';
import { readConfig } from '#resource-api/config/config.ts';
import { type Context, createContext } from '#resource-api/context.ts';
import { runServer } from '#shared/http/run-server.ts';
import type { LimitVerdict } from '#shared/rate-limit/limit-headers.ts';
import type { RateLimiter } from '#shared/rate-limit/rate-limiter.ts';

/*
 * resource-api as its main.ts composes it, but for one part, which the first argument names, to measure what that
 * part costs. Nothing of this is in the service itself: it has no switch for it.
 */
const account = { plan: 'premium', timezone: 'Europe/Berlin', status: 'active' } as const;

/** Believes «Believe <account id> <token id>»: no token is looked at, no statement is sent. */
const believeHeader: Authenticator = async (req) => {
  const [, accountId = '', tokenId = ''] = String(req.headers.authorization).split(' ');
  return {
    account: { ...account, id: accountId },
    tokenId,
    tokenName: 'Bench',
    scopes: ['read', 'write'],
  };
};

/** What a limiter would say. */
const verdict: LimitVerdict = {
  limit: 120,
  remaining: 119,
  resetSeconds: 60,
  retryAfterSeconds: 0,
  isAllowed: true,
};

function countNothing(limiter: RateLimiter): RateLimiter {
  return { ...limiter, consume: async () => verdict };
}

const variants: Record<string, (context: Context) => Partial<Context>> = {
  'without-authentication': () => ({ authenticate: believeHeader }),
  'without-limits': ({ tokenLimiter, addressLimiter }) => ({
    tokenLimiter: countNothing(tokenLimiter),
    addressLimiter: countNothing(addressLimiter),
  }),
};

const variant = variants[process.argv[2] ?? ''];
if (variant === undefined) throw new Error(`there is no variant «${process.argv[2]}»`);
const config = readConfig(process.env);
const context = await createContext(config);

await runServer({
  app: createApp({ ...context, ...variant(context) }),
  config,
  context,
  firstData: { name: 'cursor key', load: context.cursorSecret.load },
});
