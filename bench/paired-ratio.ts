const resamples = 10_000;

/** The median of paired ratios with its 95 % bootstrap interval, in words. */
export function describeRatio(ratios: readonly number[]): string {
  const medians = Array.from({ length: resamples }, () =>
    median(ratios.map(() => ratios[Math.floor(Math.random() * ratios.length)] ?? Number.NaN)),
  ).toSorted((left, right) => left - right);
  const at = (share: number): string => (medians[Math.floor(share * resamples)] ?? Number.NaN).toFixed(3);
  return `${median(ratios).toFixed(3)} (95 %: ${at(0.025)} to ${at(0.975)}, ${ratios.length} pairs)`;
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}
