import { once } from 'node:events';
import { createServer, request, type Server } from 'node:http';
import test, { type ExecutionContext } from 'ava';
import express, { type RequestHandler } from 'express';
import fc from 'fast-check';
import { handleErrors } from '#shared/http/problem.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { createAddressKey, limitByAddress } from '#shared/rate-limit/address-limit.ts';
import { addressLimitKey, clientAddress, widerNetworks } from '#shared/rate-limit/client-address.ts';
import { applyVerdict, type LimitVerdict } from '#shared/rate-limit/limit-headers.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { words } from '#tests/support/words.ts';
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

async function limitedServer(t: ExecutionContext, addressLimitExempt: readonly string[]) {
  const [kind] = await redisServerKinds();
  const server = await kind?.start();
  t.teardown(() => server?.stop());
  const { limiterOf } = await startReplica(t, server?.url ?? '');
  const limiter = limiterOf('address', { points: 1, durationSeconds: 600 });
  const addressKeyOf = createAddressKey({ trustedProxyHops: 0, addressLimitExempt });
  const url = await serve(t, limitByAddress(limiter, addressKeyOf));
  return (forwardedFor: string) => fetch(url, { headers: { 'X-Forwarded-For': forwardedFor } });
}

test('exempt addresses and ranges are not limited and get no RateLimit fields', async (t) => {
  const exempt = ['198.51.100.77/24', '192.0.2.7', '2001:db8:beef::/48', '::ffff:203.0.113.0/120'];
  const get = await limitedServer(t, exempt);
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
  const get = await limitedServer(t, ['0.0.0.0/0']);
  t.is((await get('192.0.2.7')).headers.get('ratelimit-limit'), null);
  t.is((await get('2001:db8::1')).headers.get('ratelimit-limit'), '1');
});

const roomy = { limit: 600, remaining: 500, resetSeconds: 7, isAllowed: true };
const tight = { limit: 120, remaining: 3, resetSeconds: 9, isAllowed: true };
const spent = { limit: 600, remaining: 0, resetSeconds: 40, isAllowed: true };
const refused = { limit: 120, remaining: 0, resetSeconds: 5, isAllowed: false };

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
  const now = { ...refused, resetSeconds: 0 };
  t.deepEqual(await shownAfter(t, now), [429, '120', '0', '0', '1']);
});

/** What a server that listens on every address takes for the address of a caller from 127.0.0.1. */
async function addressSeen(trustedProxyHops: number, forwardedFor: string | string[] | undefined) {
  const server = createServer((req, res) => res.end(clientAddress(req, trustedProxyHops)));
  server.listen(0);
  await once(server, 'listening');
  const address = server.address();
  const port = typeof address === 'object' ? address?.port : undefined;
  const headers = forwardedFor === undefined ? {} : { 'X-Forwarded-For': forwardedFor };
  try {
    const [response] = await once(request({ host: '127.0.0.1', port, headers }).end(), 'response');
    return (await response.setEncoding('utf8').toArray()).join('');
  } finally {
    server.close();
  }
}

const cases: [title: string, hops: number, header: string | string[] | undefined, expected: string][] = [
  ['without the header the socket counts, IPv4 on a dual-stack socket as IPv4', 0, undefined, '127.0.0.1'],
  ['the entry of our gateway counts', 0, '192.0.2.7', '192.0.2.7'],
  ['entries claimed by the caller do not count', 0, '10.0.0.1, 10.0.0.2, 192.0.2.7', '192.0.2.7'],
  ['entries claimed in a header of their own do not count', 0, ['10.0.0.1', '192.0.2.7'], '192.0.2.7'],
  [
    'with one proxy in front the entry before the last counts',
    1,
    '10.0.0.1, 192.0.2.7, 198.51.100.1',
    '192.0.2.7',
  ],
  [
    'with two proxies in front the third from the right counts',
    2,
    '8.8.8.8,192.0.2.7,198.51.100.1,198.51.100.2',
    '192.0.2.7',
  ],
  ['with fewer entries than proxies the left-most counts', 3, '192.0.2.7, 198.51.100.1', '192.0.2.7'],
  [
    'where the caller should stand but no address does, the proxy that wrote it counts',
    1,
    '10.0.0.1, unknown, 198.51.100.1',
    '198.51.100.1',
  ],
  ['a claim is not used when the trusted entry is malformed', 0, '10.0.0.1, nonsense', '127.0.0.1'],
  ['an empty header counts as none', 0, '', '127.0.0.1'],
  ['empty entries are malformed', 0, '192.0.2.7, , ', '127.0.0.1'],
  ['a port is left out', 0, '192.0.2.7:4711', '192.0.2.7'],
  ['a port after brackets is left out', 0, '[2001:db8::7]:4711', '2001:db8::7'],
  ['IPv6 is spelt canonically', 0, '2001:0DB8:0:0:0:0:0:7', '2001:db8::7'],
  ['IPv4-mapped IPv6 is IPv4', 0, '::ffff:192.0.2.7', '192.0.2.7'],
  ['IPv4-mapped IPv6 in hexadecimal is IPv4', 0, '0:0:0:0:0:FFFF:c000:207', '192.0.2.7'],
  ['an octal-looking IPv4 address is malformed', 0, '192.0.2.010', '127.0.0.1'],
];

for (const [title, hops, header, expected] of cases) {
  test(title, async (t) => {
    t.is(await addressSeen(hops, header), expected);
  });
}

const group = fc.integer({ min: 0, max: 0xffff });
const groups = fc.array(fc.oneof(group, fc.constant(0)), { minLength: 8, maxLength: 8 });

/** Two spellings of one address: in full, and as a browser shortens it. */
function spellings(numbers: readonly number[]): [string, string] {
  const full = numbers.map((number) => number.toString(16).padStart(4, '0').toUpperCase()).join(':');
  return [full, new URL(`http://[${full}]/`).hostname.slice(1, -1)];
}

test('IPv6 addresses share a limit exactly when their first 64 bits are the same', (t) => {
  const isMapped = (numbers: number[]) => numbers.slice(0, 5).every((number) => number === 0);
  fc.assert(
    fc.property(groups, groups, fc.boolean(), (one, other, isSameNetwork) => {
      fc.pre(!isMapped(one));
      const second = isSameNetwork ? [...one.slice(0, 4), ...other.slice(4)] : other;
      fc.pre(!isMapped(second));
      const keys = [...spellings(one), ...spellings(second)].map(addressLimitKey);
      t.is(keys[0], keys[1]);
      t.is(keys[2], keys[3]);
      const haveSameNetwork = one.slice(0, 4).join() === second.slice(0, 4).join();
      t.is(keys[0] === keys[2], haveSameNetwork);
    }),
  );
});

test('an IPv6 network belongs to its /56 and its /48, an IPv4 address to none', (t) => {
  t.deepEqual(widerNetworks(addressLimitKey('2001:db8:1:abcd::7')), {
    site: '2001:db8:1:ab00::/56',
    provider: '2001:db8:1:0::/48',
  });
  t.deepEqual(widerNetworks(addressLimitKey('::2:0:0:0:1')), {
    site: '0:0:0:0::/56',
    provider: '0:0:0:0::/48',
  });
  t.is(widerNetworks(addressLimitKey('192.0.2.7')), undefined);
});
