import test from 'ava';
import { Redis } from 'ioredis';
import type { FaultMode } from '../support/fault-proxy.ts';
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
  test.serial(
    `with Redis ${fault} requests are served and limited all the same, until it is back`,
    async (t) => {
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
        await client.get('/me');
        return count(back) > noted.back;
      });
    },
  );
}

test.serial('flushing Redis fails no request and resets the counts', async (t) => {
  const { url, directUrl } = await openProxiedRedis(t);
  const stack = await startStack(t, { redisUrl: url, requestsPerTokenPerMinute: 5 });
  const client = await stack.newClient();
  const redis = new Redis(directUrl);
  t.teardown(() => redis.disconnect());
  const remaining = async (): Promise<string | null> =>
    (await client.get('/me')).headers.get('ratelimit-remaining');
  t.is(await remaining(), '4');
  await redis.flushdb();
  await redis.script('FLUSH');
  t.is(await remaining(), '4');
});
