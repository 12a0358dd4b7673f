import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { compareReads } from '../stage/read-comparison.ts';

export const pageOf50: BenchCase = {
  id: 'page-of-50',
  what: 'GET /tasks, a page of 50 tasks',
  goal: 'requests a second: at least those of R2, 5 times those of R3',
  async run(bench) {
    const rounds = await compareReads(bench, ['bare-server', 'entity-server'], () => '/tasks');
    return [
      compareRates(rounds, {
        id: 'bare-server',
        what: 'page of 50 tasks, against R2',
        goal: '≥ 1.0',
        bound: { atLeast: 1 },
        ours: 'service',
        reference: 'bare-server',
      }),
      compareRates(rounds, {
        id: 'entity-server',
        what: 'page of 50 tasks, against R3',
        goal: '≥ 5',
        bound: { atLeast: 5 },
        ours: 'service',
        reference: 'entity-server',
      }),
    ];
  },
};
