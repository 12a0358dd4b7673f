import type { Round } from '../measure/interleave.ts';
import { compareRates, type Finding } from '../report/finding.ts';

/** What is shown for information: rates in pairs, and no goal. */
export function tellRates<Name extends string>(
  rounds: readonly Round<Name>[],
  told: Pick<Finding, 'id' | 'what'> & { ours: Name; reference: Name },
): Finding {
  const { id, what, measured, processor } = compareRates(rounds, {
    ...told,
    goal: 'none',
    bound: { atLeast: 0 },
  });
  return { id, what, goal: 'none', measured, processor, state: 'told' };
}
