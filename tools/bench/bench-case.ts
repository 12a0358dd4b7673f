import { type Estimate, estimateOf } from '../statistics.ts';
import type { Bench } from './bench.ts';

export type BenchCase = {
  /** Kebab case; what `npm run bench -- <id>` chooses it by. */
  id: string;
  what: string;
  /** Ends every process it starts, whatever happens. */
  run(bench: Bench): Promise<Finding[]>;
};

type Bound = { atLeast: number } | { atMost: number };

/** `undecided`: the interval holds values that meet the goal and values that do not. */
type State = 'reached' | 'missed' | 'undecided' | '';

/** One line of the table. */
export type Finding = { what: string; goal: string; measured: string; state: State };

type Judged = { what: string; bound?: Bound; unit?: string; note?: string };

/** Judges samples from several starts, each with several rounds. */
export function judgeSamples(
  starts: readonly (readonly number[])[],
  { what, bound, ...shown }: Judged,
): Finding {
  const estimate = estimateOf(starts);
  const [middle, low, high] = [estimate.median, estimate.low, estimate.high].map(shorten);
  const measured = [middle, shown.unit, `(${low} to ${high})`, shown.note].filter(Boolean).join(' ');
  return { what, goal: describeBound(bound, shown.unit), measured, state: stateOf(estimate, bound) };
}

/** Judges a count that is the same in each run. */
export function judgeCount(value: number, { what, bound, unit, note }: Judged): Finding {
  const measured = [String(value), unit, note].filter(Boolean).join(' ');
  const estimate = { median: value, low: value, high: value };
  return { what, goal: describeBound(bound, unit), measured, state: stateOf(estimate, bound) };
}

function stateOf({ low, high }: Estimate, bound: Bound | undefined): State {
  if (bound === undefined) return '';
  const meets = (value: number) => ('atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost);
  if (meets(low) && meets(high)) return 'reached';
  return meets(low) || meets(high) ? 'undecided' : 'missed';
}

function describeBound(bound: Bound | undefined, unit = ''): string {
  if (bound === undefined) return 'none';
  return ('atLeast' in bound ? `≥ ${bound.atLeast} ${unit}` : `≤ ${bound.atMost} ${unit}`).trim();
}

function shorten(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
