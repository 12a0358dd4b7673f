import { sendOnce } from '../measure/load.ts';
import { readSentStatements, type SentStatement } from '../measure/sent-statements.ts';
import { openWireCounter } from '../measure/wire-counter.ts';
import { median } from '../paired-ratio.ts';
import type { Bench } from './bench.ts';

export type RoundTripOptions = {
  databaseUrl: string;
  /** Sent one after the other, over and over. */
  requests: readonly Buffer[];
  expectedStatus?: number;
};

export type RoundTrips = {
  /** Of one request. */
  database: number;
  redis: number;
  /** What the last request sent to PostgreSQL. */
  statements: readonly SentStatement[];
};

/** Until the connections to the stores are open. */
const firstRequests = 20;
const countedRequests = 15;

/** How often one request of resource-api waits for a store, counted at the wire. */
export async function countRoundTrips(bench: Bench, options: RoundTripOptions): Promise<RoundTrips> {
  const { requests, expectedStatus = 200 } = options;
  let statements: SentStatement[] = [];
  const tap = readSentStatements((statement) => statements.push(statement));
  const databaseUrl = new URL(options.databaseUrl);
  const redisUrl = new URL(bench.stores.redisUrl);
  await using database = await openWireCounter(Number(databaseUrl.port), tap);
  await using redis = await openWireCounter(Number(redisUrl.port));
  databaseUrl.port = String(database.port);
  redisUrl.port = String(redis.port);
  await using service = await bench.startService({
    service: 'resource-api',
    databaseUrl: databaseUrl.href,
    redisUrl: redisUrl.href,
  });
  const counts: { database: number; redis: number }[] = [];
  for (let number = 0; number < firstRequests + countedRequests; number += 1) {
    const request = requests[number % requests.length] ?? Buffer.of();
    const before = { database: database.roundTrips(), redis: redis.roundTrips() };
    statements = [];
    const { status, body } = await sendOnce(service.port, request, bench.signal);
    if (status !== expectedStatus) throw new Error(`a request is answered with ${status}: ${body}`);
    if (number < firstRequests) continue;
    counts.push({
      database: database.roundTrips() - before.database,
      redis: redis.roundTrips() - before.redis,
    });
  }
  return {
    database: median(counts.map((count) => count.database)),
    redis: median(counts.map((count) => count.redis)),
    statements,
  };
}
