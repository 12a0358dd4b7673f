const resamples = 10_000;

/** A median with its 95 % bootstrap interval. */
export type Estimate = { median: number; low: number; high: number };

/**
 * The median of all values, which come from several starts of a process. For its interval starts are drawn
 * with replacement, and then values of each: one process differs from the next of the same code.
 */
export function estimateOf(starts: readonly (readonly number[])[]): Estimate {
  const draw = <Value>(from: readonly Value[]): Value[] =>
    from.flatMap(() => from.slice(Math.floor(Math.random() * from.length)).slice(0, 1));
  const medians = Array.from({ length: resamples }, () => median(draw(starts).flatMap(draw))).toSorted(
    (left, right) => left - right,
  );
  const at = (share: number): number => medians[Math.floor(share * resamples)] ?? Number.NaN;
  return { median: median(starts.flat()), low: at(0.025), high: at(0.975) };
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** `share`: 0.99 for the 99th percentile. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.ceil(share * sorted.length) - 1] ?? Number.NaN;
}
