import type { Bench } from './bench.ts';
import { median } from './statistics.ts';
import { openWireCounter, type WireCounter } from './wire-counter.ts';

/** The stores through counters at the wire. */
type CountedStores = AsyncDisposable & {
  /** For a service. */
  urls: { databaseUrl: string; redisUrl: string };
  /** Round trips to each store per turn of `work`, counted after turns that open the connections. */
  count(work: (turn: number) => Promise<unknown>): Promise<{ database: number; redis: number }>;
};

/** Each of twenty clients three times: a client's record is cached from its second request on. */
const firstTurns = 60;
const countedTurns = 15;

export async function openCountedStores({ stores }: Bench, databaseUrl: string): Promise<CountedStores> {
  await using parts = new AsyncDisposableStack();
  const open = async (storeUrl: string): Promise<[url: string, counter: WireCounter]> => {
    const url = new URL(storeUrl);
    const counter = parts.use(await openWireCounter(Number(url.port)));
    url.port = String(counter.port);
    return [url.href, counter];
  };
  const [countedUrl, database] = await open(databaseUrl);
  const [redisUrl, redis] = await open(stores.redisUrl);
  const kept = parts.move();
  return {
    urls: { databaseUrl: countedUrl, redisUrl },
    async count(work) {
      const counts: { database: number; redis: number }[] = [];
      for (let turn = 0; turn < firstTurns + countedTurns; turn += 1) {
        const before = { database: database.roundTrips(), redis: redis.roundTrips() };
        await work(turn);
        counts.push({
          database: database.roundTrips() - before.database,
          redis: redis.roundTrips() - before.redis,
        });
      }
      const counted = counts.slice(firstTurns);
      return {
        database: median(counted.map((count) => count.database)),
        redis: median(counted.map((count) => count.redis)),
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
