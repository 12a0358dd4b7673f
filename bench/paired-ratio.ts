const resamples = 10_000;

/** The median of paired ratios with its 95 % bootstrap interval. */
export type Ratio = { median: number; low: number; high: number; pairs: number };

export function ratioOf(ratios: readonly number[], random: () => number = Math.random): Ratio {
  const medians = Array.from({ length: resamples }, () =>
    median(ratios.map(() => ratios[Math.floor(random() * ratios.length)] ?? Number.NaN)),
  ).toSorted((left, right) => left - right);
  const at = (share: number): number => medians[Math.floor(share * resamples)] ?? Number.NaN;
  return { median: median(ratios), low: at(0.025), high: at(0.975), pairs: ratios.length };
}

/** In words. */
export function describeRatio(ratios: readonly number[]): string {
  const { median: middle, low, high, pairs } = ratioOf(ratios);
  return `${middle.toFixed(3)} (95 %: ${low.toFixed(3)} to ${high.toFixed(3)}, ${pairs} pairs)`;
}

export function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
