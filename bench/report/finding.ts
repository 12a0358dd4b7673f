import { type Block, type Round, rateOf } from '../measure/interleave.ts';
import { median, type Ratio, ratioOf } from '../paired-ratio.ts';

export type Bound = { atLeast: number } | { atMost: number };

/** `open`: the interval holds both values that meet the goal and values that do not. `told`: there is no goal. */
export type State = 'reached' | 'missed' | 'open' | 'told';

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
  /** Of paired blocks; missing where something was counted or read once. */
  ratio?: Ratio;
  /** Milliseconds of the server's processor time per request. */
  processor?: { ours: number; reference: number };
  note?: string;
  /** What a whole is made of, the greatest first; shown apart from the table. */
  shares?: readonly { name: string; share: number }[];
};

/** What is known of a goal before it is measured. */
export type Goal = Pick<Finding, 'id' | 'what' | 'goal' | 'note'> & { bound: Bound };

export type Comparison<Name extends string> = Goal & {
  ours: Name;
  reference: Name;
};

/**
 * Requests a second against the reference's where the bound is a least ratio; where it is a greatest one, the time of
 * a request against the reference's. Both in pairs of neighbouring blocks.
 */
export function compareRates<Name extends string>(
  rounds: readonly Round<Name>[],
  comparison: Comparison<Name>,
): Finding {
  const isRate = 'atLeast' in comparison.bound;
  return compareBlocks(rounds, comparison, (ours, reference) =>
    isRate ? rateOf(ours) / rateOf(reference) : rateOf(reference) / rateOf(ours),
  );
}

/** As `compareRates`, of the server's processor time per request. */
export function compareProcessorTime<Name extends string>(
  rounds: readonly Round<Name>[],
  comparison: Comparison<Name>,
): Finding {
  return compareBlocks(
    rounds,
    comparison,
    (ours, reference) => ours.processor.server / reference.processor.server,
  );
}

function compareBlocks<Name extends string>(
  rounds: readonly Round<Name>[],
  { ours, reference, ...told }: Comparison<Name>,
  compare: (ours: Block, reference: Block) => number,
): Finding {
  const timeOf = (name: Name) => median(rounds.map((round) => round[name].processor.server));
  return {
    ...judgeRatios(
      rounds.map((round) => compare(round[ours], round[reference])),
      told,
    ),
    processor: { ours: timeOf(ours), reference: timeOf(reference) },
  };
}

/** Ratios that were measured in pairs. */
export function judgeRatios(ratios: readonly number[], told: Goal): Finding {
  const ratio = ratioOf(ratios);
  return { ...told, ratio, measured: describe(ratio), state: stateOf(ratio, told.bound) };
}

/** Something counted, or measured once. */
export function figure(told: Goal & { value: number; unit: string }): Finding {
  const { value, unit, ...kept } = told;
  const shown = Number.isInteger(value) ? String(value) : value.toFixed(value < 10 ? 2 : 1);
  return {
    ...kept,
    measured: `${shown} ${unit}`.trim(),
    state: meets(value, kept.bound) ? 'reached' : 'missed',
  };
}

export function stateOf({ low, high }: Ratio, bound: Bound): State {
  const ends = [meets(low, bound), meets(high, bound)];
  if (ends.every(Boolean)) return 'reached';
  return ends.some(Boolean) ? 'open' : 'missed';
}

function meets(value: number, bound: Bound): boolean {
  return 'atLeast' in bound ? value >= bound.atLeast : value <= bound.atMost;
}

function describe({ median: middle, low, high }: Ratio): string {
  return `${middle.toFixed(2)} (${low.toFixed(2)} to ${high.toFixed(2)})`;
}
