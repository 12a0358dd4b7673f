import { Redis } from 'ioredis';
import { sharedRedisNumber, testRedisUrl } from './test-environment.ts';
import { waitFor } from './wait-for.ts';

/** Database 0 stores the leases; a server has 16 by default. */
const databaseNumbers = Array.from({ length: sharedRedisNumber - 1 }, (_, index) => index + 1);
const patienceMilliseconds = 120_000;

type RedisLease = { url: string; release(): Promise<void> };

/** Leases an empty database on the runner's Redis; waits while all are taken. */
export async function leaseRedisDatabase(): Promise<RedisLease> {
  const leases = new Redis(testRedisUrl());
  const number = await waitFor(() => takeFreeNumber(leases), {
    timeoutMilliseconds: patienceMilliseconds,
    what: 'a free Redis database: too many stacks are open at once',
  });
  const url = new URL(testRedisUrl());
  url.pathname = `/${number}`;
  return {
    url: url.href,
    async release() {
      await leases.multi().select(number).flushdb().select(0).del(leaseKey(number)).exec();
      leases.disconnect();
    },
  };
}

async function takeFreeNumber(leases: Redis): Promise<number | undefined> {
  for (const number of databaseNumbers) {
    if ((await leases.set(leaseKey(number), process.pid, 'NX')) === 'OK') return number;
  }
  return undefined;
}

function leaseKey(number: number): string {
  return `lease:${number}`;
}
