import type { Server } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import express, { type RequestHandler } from 'express';
import { handleErrors } from '#shared/http/problem.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { createAddressKey, limitByAddress } from '#shared/rate-limit/address-limit.ts';
import { applyVerdict, type LimitVerdict } from '#shared/rate-limit/limit-headers.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { words } from '#tests/support/words.ts';
import { createCapturedLog } from '../support/captured-log.ts';
import { redisServerKinds, startReplica } from './redis-servers.ts';

const logger = createCapturedLog().loggerFor('test');

async function serve(t: ExecutionContext, ...handlers: RequestHandler[]): Promise<string> {
  const app = express();
  app.use(...handlers, (_req: express.Request, res: express.Response) => {
    res.json({});
  });
  app.use(handleErrors(logger));
  const server: Server = createApiServer(app);
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  return `http://127.0.0.1:${port}/`;
}

async function limitedServer(
  t: ExecutionContext,
  points: number,
  addressLimitExempt: readonly string[] = [],
) {
  const [kind] = await redisServerKinds();
  const server = await kind?.start();
  t.teardown(() => server?.stop());
  const { limiterOf } = await startReplica(t, server?.url ?? '');
  const limiter = limiterOf('address', { points, durationSeconds: 600 });
  const addressKeyOf = createAddressKey({ trustedProxyHops: 0, addressLimitExempt });
  const url = await serve(t, limitByAddress(limiter, addressKeyOf));
  return (forwardedFor: string) => fetch(url, { headers: { 'X-Forwarded-For': forwardedFor } });
}

test('exempt addresses and ranges are not limited and get no RateLimit fields', async (t) => {
  const exempt = ['198.51.100.77/24', '192.0.2.7', '2001:db8:beef::/48', '::ffff:203.0.113.0/120'];
  const get = await limitedServer(t, 1, exempt);
  for (const address of words('198.51.100.1 198.51.100.255 192.0.2.7 2001:db8:beef:1::1 203.0.113.9')) {
    for (const response of [await get(address), await get(address)]) {
      t.is(response.status, 200, address);
      t.is(response.headers.get('ratelimit-limit'), null);
    }
  }
  for (const address of ['198.51.101.1', '192.0.2.8', '2001:db8:bee0::1', '203.0.114.1']) {
    t.is((await get(address)).status, 200, address);
    t.is((await get(address)).status, 429, address);
  }
});

test('0.0.0.0/0 exempts every IPv4 address and no IPv6 address', async (t) => {
  const get = await limitedServer(t, 1, ['0.0.0.0/0']);
  t.is((await get('192.0.2.7')).headers.get('ratelimit-limit'), null);
  t.is((await get('2001:db8::1')).headers.get('ratelimit-limit'), '1');
});

const roomy = { limit: 600, remaining: 500, resetSeconds: 7, retryAfterSeconds: 0, isAllowed: true };
const tight = { limit: 120, remaining: 3, resetSeconds: 9, retryAfterSeconds: 0, isAllowed: true };
const spent = { limit: 600, remaining: 0, resetSeconds: 40, retryAfterSeconds: 40, isAllowed: true };
const refused = { limit: 120, remaining: 0, resetSeconds: 5, retryAfterSeconds: 5, isAllowed: false };

async function shownAfter(t: ExecutionContext, ...verdicts: LimitVerdict[]) {
  const handlers = verdicts.map(
    (verdict): RequestHandler =>
      (_req, res, next) => {
        applyVerdict(res, verdict);
        next();
      },
  );
  const { headers, status } = await fetch(await serve(t, ...handlers));
  const names = ['ratelimit-limit', 'ratelimit-remaining', 'ratelimit-reset', 'retry-after'];
  return [status, ...names.map((name) => headers.get(name))];
}

test('the fields show the tighter of two limits, in whichever order they were asked', async (t) => {
  t.deepEqual(await shownAfter(t, roomy, tight), [200, '120', '3', '9', null]);
  t.deepEqual(await shownAfter(t, tight, roomy), [200, '120', '3', '9', null]);
});

test('of two limits with the same remainder the fields show the longer wait', async (t) => {
  const later = { ...tight, limit: 600, resetSeconds: 30 };
  t.deepEqual(await shownAfter(t, later, tight), [200, '600', '3', '30', null]);
  t.deepEqual(await shownAfter(t, tight, later), [200, '600', '3', '30', null]);
});

test('the limit that refuses is the one shown', async (t) => {
  t.deepEqual(await shownAfter(t, spent, refused), [429, '120', '0', '5', '5']);
});

test('the time to wait is never shown as less than a second', async (t) => {
  const now = { ...refused, resetSeconds: 0, retryAfterSeconds: 0 };
  t.deepEqual(await shownAfter(t, now), [429, '120', '0', '0', '1']);
});
