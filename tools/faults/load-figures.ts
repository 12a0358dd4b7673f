import type { Findings } from './check-acknowledged.ts';
import type { RequestRecord } from './load.ts';

/** The value below which `share` (0 to 1) of the values lie; 0 of none. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((left, right) => left - right);
  return sorted[Math.min(sorted.length - 1, Math.ceil(share * sorted.length) - 1)] ?? 0;
}

export function latencyPercentile(requests: readonly RequestRecord[], share: number): number {
  return (
    Math.round(
      percentile(
        requests.map(({ milliseconds }) => milliseconds),
        share,
      ) * 10,
    ) / 10
  );
}

export function isSuccess({ outcome }: Pick<RequestRecord, 'outcome'>): boolean {
  return typeof outcome === 'number' && outcome < 300;
}

/** «200 × 812, 503 × 14, ECONNRESET × 1» */
export function describeOutcomes(requests: readonly Pick<RequestRecord, 'outcome'>[]): string {
  const groups = [...Map.groupBy(requests, ({ outcome }) => String(outcome))];
  const sorted = groups.toSorted(([left], [right]) => left.localeCompare(right));
  return sorted.map(([outcome, of]) => `${outcome} × ${of.length}`).join(', ') || 'no request';
}

/**
 * From `at` on: how long until no request failed any more that was sent later. 0 when none did.
 * Both in milliseconds, as performance.now() counts.
 */
export function millisecondsUntilHealthy(requests: readonly RequestRecord[], at: number): number {
  const failures = requests.filter((request) => !isSuccess(request)).map(({ sentAt }) => sentAt);
  return Math.max(0, Math.round(Math.max(at, ...failures) - at));
}

/** «nothing» or how many of each. */
export function describeFindings({ lost, halfWritten, gaps, duplicates }: Findings): string {
  const counts = Object.entries({
    lost: lost.length,
    'half-written': halfWritten.length,
    gaps: gaps.length,
    duplicates: duplicates.length,
  }).filter(([, count]) => count > 0);
  return counts.map(([name, count]) => `${count} ${name}`).join(', ') || 'nothing';
}

/** A sentence for each kind of loss, with an example. */
export function findingMisses(findings: Findings): string[] {
  return Object.values(findings).flatMap((faults: string[]) =>
    faults.length === 0 ? [] : [`${faults.length} like this: ${faults[0]}`],
  );
}

/** What a store's fault may show to clients: success, and a well-formed 503. */
export function unexpectedOutcomes(requests: readonly RequestRecord[]): string[] {
  const strange = requests.filter((request) => !isSuccess(request) && request.outcome !== 503);
  const malformed = requests.filter(({ isWellFormed }) => !isWellFormed);
  return [
    ...(strange.length === 0
      ? []
      : [`answers that are neither success nor 503: ${describeOutcomes(strange)}`]),
    ...(malformed.length === 0
      ? []
      : [`${malformed.length} answers 503 without Retry-After or not in the API’s shape`]),
  ];
}
