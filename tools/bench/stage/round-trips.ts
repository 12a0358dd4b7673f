import { sendOnce } from '../measure/load.ts';
import { readSentStatements, type SentStatement } from '../measure/sent-statements.ts';
import type { Bench } from './bench.ts';
import { openCountedStores, type StoreCounts } from './counted-stores.ts';

export type RoundTripOptions = {
  databaseUrl: string;
  /** The first of them are sent one after the other, over and over. */
  requests: readonly Buffer[];
  expectedStatus?: number;
};

/** Of one request. */
export type RoundTrips = StoreCounts & {
  /** What the last request sent to PostgreSQL. */
  statements: readonly SentStatement[];
};

/** Until the connections to the stores are open, and the tokens of what is counted are known. */
const firstRequests = 20;
const countedRequests = 15;

/** How often one request of resource-api waits for a store, counted at the wire. */
export async function countRoundTrips(bench: Bench, options: RoundTripOptions): Promise<RoundTrips> {
  const { requests, expectedStatus = 200 } = options;
  let statements: SentStatement[] = [];
  const tap = readSentStatements((statement) => statements.push(statement));
  await using stores = await openCountedStores(bench, options.databaseUrl, tap);
  await using service = await bench.startService({ service: 'resource-api', ...stores.urls });
  const counts = await stores.count({ first: firstRequests, counted: countedRequests }, async (number) => {
    const request = requests[number % Math.min(firstRequests, requests.length)] ?? Buffer.of();
    statements = [];
    const { status, body } = await sendOnce(service.port, request, bench.signal);
    if (status !== expectedStatus) throw new Error(`a request is answered with ${status}: ${body}`);
  });
  return { ...counts, statements };
}
