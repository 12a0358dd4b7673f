import { type Estimate, estimateOf, type Starts } from '../estimate.ts';

export type Bound = { atLeast: number } | { atMost: number };

/** `open`: the interval holds both values that meet the goal and values that do not. `told`: there is no goal. */
export type State = 'reached' | 'missed' | 'open' | 'told';

/** Of the service and of its reference. */
export type Pair = { ours: number; reference: number };

/** One line of the table: what was found out about one goal. */
export type Finding = {
  /** Kebab case, unique in its case. */
  id: string;
  what: string;
  goal: string;
  /** Of a goal. */
  bound?: Bound;
  /** What was measured, in words. */
  measured: string;
  state: State;
  /** What the outcome follows from; missing where something was counted. */
  estimate?: Estimate;
  /** Both ratios to the reference, whichever of them the outcome follows from. */
  ratios?: { rates: Estimate; processorTimes: Estimate };
  /** The share of its blocks that each server was at work. */
  busy?: Pair;
  /** Milliseconds of the server's processor time per request. */
  processor?: { ours: number; reference?: number };
  /** Milliseconds of the stores' processor time for a request of ours. */
  stores?: { database: number; redis: number };
  note?: string;
  /** What a whole is made of, the greatest first; shown apart from the table. */
  shares?: readonly TimeShare[];
};

/** `share`: from 0 to 1. `microseconds`: for one request. */
export type TimeShare = { name: string; share: number; microseconds: number };

/** What is known of a goal before it is measured. */
export type Goal = Pick<Finding, 'id' | 'what' | 'goal' | 'note'> & { bound: Bound };

/** Ratios that were measured in pairs. */
export function judgeRatios(ratios: Starts<number>, told: Goal): Finding {
  const estimate = estimateOf(ratios);
  return { ...told, estimate, measured: describeRatio(estimate), state: stateOf(estimate, told.bound) };
}

/** What was measured several times: in each of several starts, and there in each round. */
export function judgeSamples(
  told: Goal & Pick<Finding, 'processor' | 'stores'> & { samples: Starts<number>; unit: string },
): Finding {
  const { samples, unit, ...kept } = told;
  const estimate = estimateOf(samples);
  const [middle, low, high] = [estimate.median, estimate.low, estimate.high].map(shortened);
  return {
    ...kept,
    estimate,
    measured: `${middle}${unit === '' ? '' : ` ${unit}`} (${low} to ${high})`,
    state: stateOf(estimate, kept.bound),
  };
}

/** Something counted, which is the same each time. */
export function figure(told: Goal & { value: number; unit: string }): Finding {
  const { value, unit, ...kept } = told;
  return {
    ...kept,
    measured: `${Number.isInteger(value) ? value : shortened(value)} ${unit}`.trim(),
    state: meets(value, kept.bound) ? 'reached' : 'missed',
  };
}

export function stateOf({ low, high }: Estimate, bound: Bound): State {
  const ends = [meets(low, bound), meets(high, bound)];
  if (ends.every(Boolean)) return 'reached';
  return ends.some(Boolean) ? 'open' : 'missed';
}

function meets(value: number, bound: Bound): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

/** Nothing where it could not be measured. */
export function describeRatio({ median: middle, low, high }: Estimate): string {
  return Number.isFinite(middle) ? `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})` : '';
}

function shortened(value: number): string {
  return value.toFixed(value < 10 ? 2 : value < 100 ? 1 : 0);
}
