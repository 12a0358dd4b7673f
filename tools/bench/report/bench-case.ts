import type { Bench } from '../stage/bench.ts';
import type { Finding } from './finding.ts';

export type BenchCase = {
  /** Kebab case; what `npm run bench -- <id>` chooses it by. */
  id: string;
  what: string;
  goal: string;
  /** Ends every process it starts, whatever happens. */
  run(bench: Bench): Promise<Finding[]>;
};
