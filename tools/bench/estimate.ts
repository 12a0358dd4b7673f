const resamples = 10_000;

/** A median with its 95 % bootstrap interval. */
export type Estimate = { median: number; low: number; high: number; values: number };

/** What was found in each start of what is measured, and in it in each round. */
export type Starts<Found> = readonly (readonly Found[])[];

/**
 * The median of all values. For its interval starts are drawn, with replacement, and then values of each: one process
 * differs from the next of the same code, which values of one process can't tell.
 */
export function estimateOf(starts: Starts<number>, random: () => number = Math.random): Estimate {
  const draw = <Value>(from: readonly Value[]): readonly Value[] =>
    from.flatMap(() => from.slice(Math.floor(random() * from.length)).slice(0, 1));
  const medians = Array.from({ length: resamples }, () => median(draw(starts).flatMap(draw))).toSorted(
    (left, right) => left - right,
  );
  const at = (share: number): number => medians[Math.floor(share * resamples)] ?? Number.NaN;
  const values = starts.flat();
  return { median: median(values), low: at(0.025), high: at(0.975), values: values.length };
}

export function eachRound<Found, Other>(starts: Starts<Found>, of: (found: Found) => Other): Starts<Other> {
  return starts.map((rounds) => rounds.map(of));
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
