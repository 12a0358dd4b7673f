import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { encodeRequest, sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import { sendOnce } from '../measure/load.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { figure } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import type { Client } from '../stage/clients.ts';
import { httpContender } from '../stage/contender.ts';
import { explainBuffers } from '../stage/page-buffers.ts';
import { countRoundTrips } from '../stage/round-trips.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { requestsOf } from '../stage/world-requests.ts';

const size = 50;
const largestSize = 200;

export const deepPage: BenchCase = {
  id: 'deep-page',
  what: 'page 10,000 of 50 tasks, of an account with 1,000,000',
  goal: 'takes at most 1.10 times as long as page 1, and touches as many buffers, 2 more at most',
  async run(bench) {
    const { databaseUrl, clients } = await bench.grownWorld();
    const start = () => bench.startService({ service: 'resource-api', databaseUrl });
    const depth = bench.isQuick ? 300 : 10_000;
    bench.report(`to page ${depth}`);
    const cursor = await walk(bench, start, clients, (depth - 1) * size);
    const first = requestsOf(clients, () => ({ path: `/tasks?limit=${size}` }));
    const deep = requestsOf(clients, () => ({ path: `/tasks?limit=${size}&cursor=${cursor}` }));
    const rounds = await interleave<'deep' | 'first'>(async (parts) => {
      const servers = [parts.use(await start())];
      return [
        httpContender(bench, { name: 'deep', servers, sources: sharedSources(deep) }),
        httpContender(bench, { name: 'first', servers, sources: sharedSources(first) }),
      ];
    }, bench);
    const deepBuffers = await pageBuffers(bench, databaseUrl, deep);
    const firstBuffers = await pageBuffers(bench, databaseUrl, first);
    return [
      compareRates(rounds, {
        id: 'time',
        what: `page ${depth.toLocaleString('en')}, against page 1`,
        goal: '≤ 1.10',
        bound: { atMost: 1.1 },
        ours: 'deep',
        reference: 'first',
      }),
      figure({
        id: 'buffers',
        what: `page ${depth.toLocaleString('en')}: buffers more than page 1`,
        goal: '≤ 2',
        bound: { atMost: 2 },
        value: deepBuffers - firstBuffers,
        unit: `(${deepBuffers} and ${firstBuffers})`,
      }),
    ];
  },
};

/** Follows the cursors, in larger steps, until so many tasks have been passed; the cursor of what follows. */
async function walk(
  { signal }: Bench,
  start: () => Promise<ServerProcess>,
  clients: readonly Client[],
  tasks: number,
): Promise<string> {
  await using service = await start();
  let cursor = '';
  for (let passed = 0, number = 0; passed < tasks; number += 1) {
    const limit = Math.min(largestSize, tasks - passed);
    const client = clients[number % clients.length];
    const path = `${apiRootPath}/tasks?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const { body } = await sendOnce(service.port, encodeRequest({ ...client, path }), signal);
    const page: { nextCursor: string | null } = JSON.parse(String(body));
    if (!page.nextCursor)
      throw new Error(`the list ends after ${passed} tasks: ${String(body).slice(0, 200)}`);
    cursor = page.nextCursor;
    passed += limit;
  }
  return cursor;
}

/** Of the very statement that the service sends for the page, with its values. */
async function pageBuffers(bench: Bench, databaseUrl: string, requests: readonly Buffer[]): Promise<number> {
  const { statements } = await countRoundTrips(bench, { databaseUrl, requests });
  const [page] = statements.filter(({ text }) => text.includes('tasks.task'));
  if (page === undefined) throw new Error('no statement of the page was seen');
  return explainBuffers(databaseUrl, page);
}
