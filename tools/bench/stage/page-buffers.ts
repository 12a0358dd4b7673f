import { setTimeout as delay } from 'node:timers/promises';
import { Client } from 'pg';
import { sendOnce } from '../measure/load.ts';
import type { SentStatement } from '../measure/sent-statements.ts';
import type { Bench } from './bench.ts';
import type { ServerProcess } from './server-process.ts';
import { withConnection } from './stores.ts';

type Plan = { 'Shared Hit Blocks': number; 'Shared Read Blocks': number };

/** Pages of PostgreSQL's buffer cache that a statement touches, planning aside. */
export async function explainBuffers(databaseUrl: string, { text, values }: SentStatement): Promise<number> {
  const client = new Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const explain = () =>
      client.query<{ 'QUERY PLAN': { Plan: Plan }[] }>(`explain (analyze, buffers, format json) ${text}`, [
        ...values,
      ]);
    // The first one may write hint bits and read the catalogue.
    await explain();
    const plan = (await explain()).rows[0]?.['QUERY PLAN'][0]?.Plan;
    if (plan === undefined) throw new Error('PostgreSQL explains nothing');
    return plan['Shared Hit Blocks'] + plan['Shared Read Blocks'];
  } finally {
    await client.end();
  }
}

export type BufferCount = {
  databaseUrl: string;
  service: ServerProcess;
  requests: readonly Buffer[];
  expectedStatus: number;
};

const firstRequests = 30;
const countedRequests = 200;
/** PostgreSQL adds up what a session did with the first transaction that ends a second after the last time. */
const statisticsMilliseconds = 1_200;

/** Pages of the buffer cache that one request touches, with all of its statements, the planning of them included. */
export async function buffersPerRequest(bench: Bench, options: BufferCount): Promise<number> {
  const { databaseUrl, service, requests, expectedStatus } = options;
  let sent = 0;
  const send = async (count: number): Promise<void> => {
    for (let number = 0; number < count; number += 1) {
      const request = requests[sent % requests.length] ?? Buffer.of();
      sent += 1;
      const { status } = await sendOnce(service.port, request, bench.signal);
      if (status !== expectedStatus) throw new Error(`a request is answered with ${status}`);
    }
  };
  return withConnection(databaseUrl, async ({ sql }) => {
    const read = async (): Promise<number> => {
      await delay(statisticsMilliseconds);
      await send(1);
      await delay(100);
      const [row] = await sql<{ touched: string }>`
        select sum(hits + reads) as touched from pg_stat_io
        where backend_type = 'client backend' and object = 'relation'`;
      return Number(row?.touched);
    };
    await send(firstRequests);
    await read();
    const before = await read();
    await send(countedRequests);
    return (await read()) - before;
  }).then((touched) => touched / (countedRequests + 1));
}
