import { median } from '../estimate.ts';
import { openWireCounter, type WireCounter, type WireTap } from '../measure/wire-counter.ts';
import type { Bench } from './bench.ts';

/** How often each store was waited for. */
export type StoreCounts = { database: number; redis: number };

/** The stores by way of counters at the wire. */
export type CountedStores = AsyncDisposable & {
  /** For a service. */
  urls: { databaseUrl: string; redisUrl: string };
  /** The median of what one of `counted` turns of `work` took, after `first` that open the connections. */
  count(
    turns: { first: number; counted: number },
    work: (turn: number) => Promise<unknown>,
  ): Promise<StoreCounts>;
};

/** `tap` hears what is sent to the database. */
export async function openCountedStores(
  { stores }: Bench,
  databaseUrl: string,
  tap?: WireTap,
): Promise<CountedStores> {
  await using parts = new AsyncDisposableStack();
  const open = async (url: string, tapOfStore?: WireTap): Promise<[url: string, counter: WireCounter]> => {
    const counted = new URL(url);
    const counter = parts.use(await openWireCounter(Number(counted.port), tapOfStore));
    counted.port = String(counter.port);
    return [counted.href, counter];
  };
  const [countedDatabaseUrl, database] = await open(databaseUrl, tap);
  const [redisUrl, redis] = await open(stores.redisUrl);
  const read = (): StoreCounts => ({ database: database.roundTrips(), redis: redis.roundTrips() });
  const kept = parts.move();
  return {
    urls: { databaseUrl: countedDatabaseUrl, redisUrl },
    async count({ first, counted }, work) {
      const counts: StoreCounts[] = [];
      for (let turn = 0; turn < first + counted; turn += 1) {
        const before = read();
        await work(turn);
        const after = read();
        if (turn >= first)
          counts.push({ database: after.database - before.database, redis: after.redis - before.redis });
      }
      return {
        database: median(counts.map((count) => count.database)),
        redis: median(counts.map((count) => count.redis)),
      };
    },
    [Symbol.asyncDispose]: () => kept.disposeAsync(),
  };
}
