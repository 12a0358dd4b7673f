import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { compareReads } from '../stage/read-comparison.ts';

export const identity: BenchCase = {
  id: 'identity',
  what: 'GET /me',
  goal: 'requests a second: at least 0.8 times those of R2',
  async run(bench) {
    const rounds = await compareReads(bench, ['bare-server'], () => '/me');
    return [
      compareRates(rounds, {
        id: 'bare-server',
        what: '`/me`, against R2',
        goal: '≥ 0.8',
        bound: { atLeast: 0.8 },
        ours: 'service',
        reference: 'bare-server',
      }),
    ];
  },
};
