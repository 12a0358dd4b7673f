import { sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareProcessorTime } from '../report/compare-rounds.ts';
import { httpContender } from '../stage/contender.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { requestsOf } from '../stage/world-requests.ts';

type Name = 'limited' | 'unlimited';

export const rateLimits: BenchCase = {
  id: 'rate-limits',
  what: 'a page of 50 tasks with both rate limits and without them',
  goal: 'processor time: at most 1.10 times that without limits',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const start = { service: 'resource-api', databaseUrl } as const;
    const requests = requestsOf(clients, () => ({ path: '/tasks' }));
    const contenderOf = (name: Name, server: ServerProcess) =>
      httpContender(bench, { name, servers: [server], sources: sharedSources(requests) });
    const rounds = await interleave<Name>(async (parts) => {
      const limited = parts.use(await bench.startService(start));
      const unlimited = parts.use(await bench.startService({ ...start, variant: 'without-limits' }));
      return [contenderOf('limited', limited), contenderOf('unlimited', unlimited)];
    }, bench);
    return [
      compareProcessorTime(rounds, {
        id: 'unlimited',
        what: 'processor time: rate limits on, against off',
        goal: '≤ 1.10',
        bound: { atMost: 1.1 },
        ours: 'limited',
        reference: 'unlimited',
      }),
    ];
  },
};
