import test, { type ExecutionContext } from 'ava';
import { behindProxy } from '../support/behind-proxy.ts';
import type { FaultMode, FaultProxy } from '../support/fault-proxy.ts';
import { freshDatabaseUrl } from '../support/fresh-database.ts';
import { startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { openProxiedRedis } from './store-proxies.ts';

const away = 'Redis is unavailable: rate limits are counted in this process alone';
const back = 'Redis recovered: rate limits are shared between processes';

const faults: Record<string, FaultMode> = {
  frozen: 'freeze',
  slow: { latencyMilliseconds: 500 },
  stopped: 'refuse',
};

for (const [fault, mode] of Object.entries(faults)) {
  test.serial(`with Redis ${fault} requests are served and limited all the same`, async (t) => {
    const { proxy, url } = await openProxiedRedis(t);
    const stack = await startStack(t, { redisUrl: url, requestsPerTokenPerMinute: 5 });
    const count = (message: string) => stack.log.filter(({ msg }) => msg === message).length;
    const noted = { away: count(away), back: count(back) };

    proxy.setMode(mode);
    const client = await stack.newClient();
    const statuses: number[] = [];
    for (let request = 0; request < 7; request += 1) {
      const { status, headers } = await client.get('/me');
      statuses.push(status);
      t.is(headers.get('ratelimit-limit'), '5');
    }
    t.deepEqual(statuses, [200, 200, 200, 200, 200, 429, 429]);
    t.true(count(away) > noted.away);

    proxy.setMode('pass');
    await waitFor(async () => {
      // A connection that was kept is asked by a request alone.
      if (fault === 'slow') await client.get('/me');
      return count(back) > noted.back;
    });
  });
}

test('a cached token costs one round trip to Redis, and PostgreSQL is queried only for data', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const { redisUrl } = await startStack(t);
  const [postgresql, redis] = [await behindProxy(t, databaseUrl), await behindProxy(t, redisUrl)];
  const stack = await startStack(t, { databaseUrl: postgresql.url, redisUrl: redis.url });
  const client = await stack.newClient();
  const tripsOf = async (send: () => Promise<{ status: number }>): Promise<number[]> => [
    await fewestTrips(t, postgresql.proxy, send),
    await fewestTrips(t, redis.proxy, send),
  ];
  const title = { title: 'Buy milk' };
  const { id } = (await client.post<{ id: string }>('/tasks', title)).body;
  // Scripts and statements are prepared now, and no connection has to be opened.
  t.deepEqual(await tripsOf(() => client.get('/me')), [0, 1]);
  const { body } = await client.get<{ items: { updatedAt: string }[] }>('/tasks');
  const greatest = body.items
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1);
  t.deepEqual(await tripsOf(() => client.get(`/tasks?view=all&updatedSince=${greatest}`)), [1, 1]);
  t.deepEqual(await tripsOf(() => client.get('/tasks')), [1, 1]);
  t.deepEqual(await tripsOf(() => client.get(`/tasks/${id}`)), [1, 1]);
  const [written, counted = 0] = await tripsOf(() => client.post('/tasks', title));
  t.is(written, 2);
  // The second wakes live streams; the request does not wait for it.
  t.true(counted <= 2);
});

/** How often a successful request waits for the store: the fewest of some, as token uses are noted beside. */
async function fewestTrips(
  t: ExecutionContext,
  { roundTrips }: FaultProxy,
  send: () => Promise<{ status: number }>,
): Promise<number> {
  const trips: number[] = [];
  for (let number = 0; number < 5; number += 1) {
    const before = roundTrips();
    t.true((await send()).status < 300);
    trips.push(roundTrips() - before);
  }
  return Math.min(...trips);
}
