import { sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareProcessorTime } from '../report/compare-rounds.ts';
import { httpContender } from '../stage/contender.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { requestsOf } from '../stage/world-requests.ts';

type Name = 'two' | 'one';

export const replicas: BenchCase = {
  id: 'replicas',
  what: 'a page of 50 tasks from two replicas that share the load, and from one',
  goal: 'processor time: at most 1.05 times that of one',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const start = () => bench.startService({ service: 'resource-api', databaseUrl });
    const requests = requestsOf(clients, () => ({ path: '/tasks' }));
    const contenderOf = (name: Name, servers: readonly ServerProcess[]) =>
      httpContender(bench, { name, servers, sources: sharedSources(requests) });
    // Half of the requests go to each of the two: they need as many each to be as warm as the one.
    const rounds = await interleave<Name>(
      async (parts) => {
        const first = parts.use(await start());
        const second = parts.use(await start());
        const single = parts.use(await start());
        return [contenderOf('two', [first, second]), contenderOf('one', [single])];
      },
      { ...bench, warmUpRequests: 2 * bench.warmUpRequests },
    );
    return [
      compareProcessorTime(rounds, {
        id: 'one',
        what: 'processor time: two replicas, against one',
        goal: '≤ 1.05',
        bound: { atMost: 1.05 },
        ours: 'two',
        reference: 'one',
      }),
    ];
  },
};
