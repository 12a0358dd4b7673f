import { sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { figure } from '../report/finding.ts';
import { httpContender } from '../stage/contender.ts';
import { startCreateLoop } from '../stage/create-loop.ts';
import { countRoundTrips } from '../stage/round-trips.ts';
import { sampleNotes } from '../stage/sample-notes.ts';
import { requestsOf } from '../stage/world-requests.ts';

export const createTask: BenchCase = {
  id: 'create-task',
  what: 'POST /tasks with 1 kB of Markdown',
  goal: 'requests a second: at least 0.7 times R1, the same transaction without a service; at most 3 round trips',
  async run(bench) {
    const { databaseUrl, clients, accountIds } = await bench.world();
    const body = { title: 'Order what is missing', description: sampleNotes };
    const requests = requestsOf(clients, () => ({ method: 'POST', path: '/tasks', body }));
    const trips = await countRoundTrips(bench, { databaseUrl, requests, expectedStatus: 201 });
    const rounds = await interleave<'service' | 'R1'>(async (parts) => {
      const service = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
      const loop = parts.use(await startCreateLoop(bench, { name: 'R1', databaseUrl, accountIds }));
      const sources = sharedSources(requests);
      return [
        httpContender(bench, { name: 'service', servers: [service], sources, expectedStatus: 201 }),
        loop,
      ];
    }, bench);
    return [
      compareRates(rounds, {
        id: 'transaction',
        what: 'create a task with 1 kB of Markdown, against R1',
        goal: '≥ 0.7',
        bound: { atLeast: 0.7 },
        ours: 'service',
        reference: 'R1',
        referenceMeasures: 'store',
      }),
      figure({
        id: 'round-trips',
        what: 'create a task: round trips to the stores',
        goal: '≤ 3',
        bound: { atMost: 3 },
        value: trips.database + trips.redis,
        unit: `(PostgreSQL ${trips.database}, Redis ${trips.redis})`,
      }),
    ];
  },
};
