import { sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { tellRates } from '../report/compare-rounds.ts';
import { httpContender } from '../stage/contender.ts';
import { requestsOf } from '../stage/world-requests.ts';

/** What the other intervals have to be seen against: here any difference is one of processes and of the machine. */
export const identicalCode: BenchCase = {
  id: 'identical-code',
  what: 'a page of 50 tasks from two processes of the same code',
  goal: 'none',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const requests = requestsOf(clients, () => ({ path: '/tasks' }));
    const rounds = await interleave<'one' | 'another'>(async (parts) => {
      const start = async () => parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
      return [
        httpContender(bench, { name: 'one', servers: [await start()], sources: sharedSources(requests) }),
        httpContender(bench, { name: 'another', servers: [await start()], sources: sharedSources(requests) }),
      ];
    }, bench);
    return [
      tellRates(rounds, {
        id: 'rates',
        what: 'page of 50 tasks, the same code against itself',
        ours: 'one',
        reference: 'another',
      }),
    ];
  },
};
