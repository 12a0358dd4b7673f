import process from 'node:process';
import { createApp } from '#resource-api/app.ts';
import type { Authenticator } from '#resource-api/auth/authenticate.ts';
import { readConfig } from '#resource-api/config/config.ts';
import { type Context, createContext } from '#resource-api/context.ts';
import { runServer } from '#shared/http/run-server.ts';
import type { RateLimiter } from '#shared/rate-limit/rate-limiter.ts';

/*
 * resource-api as its main.ts composes it, but for one part, which the first argument names, to measure what that
 * part costs. Nothing of this is in the service itself: it has no switch for it.
 */
const account = { plan: 'premium', timezone: 'Europe/Berlin', status: 'active' } as const;

/** Believes the headers: no token is looked at, no statement is sent. */
const believeHeaders: Authenticator = async (req) => ({
  account: { ...account, id: String(req.headers['x-account']) },
  tokenId: String(req.headers['x-token']),
  tokenName: 'Bench',
  scopes: ['read', 'write'],
});

/** Counts nothing, and says what a limiter would say. */
const countNothing: RateLimiter = {
  consume: async () => ({
    limit: 120,
    remaining: 119,
    resetSeconds: 60,
    retryAfterSeconds: 0,
    isAllowed: true,
  }),
  giveBack: async () => undefined,
};

const variants: Record<string, Partial<Context>> = {
  'without-authentication': { authenticate: believeHeaders },
  'without-limits': { tokenLimiter: countNothing, addressLimiter: countNothing },
};

const variant = variants[process.argv[2] ?? ''];
if (variant === undefined) throw new Error(`there is no variant «${process.argv[2]}»`);
const config = readConfig(process.env);
const context = await createContext(config);

await runServer({
  app: createApp({ ...context, ...variant }),
  config,
  context,
  firstData: { name: 'cursor key', load: context.cursorSecret.load },
});
