import { markdownTable } from '#tests/support/markdown-table.ts';
import { describeEnvironments } from '#tools/faults/measured-environment.ts';
import { describeRatio, type Finding } from './finding.ts';
import type { CaseResult } from './results-file.ts';

const columns = [
  'measured',
  'goal',
  'result (95 % interval)',
  'of processor times',
  'ms of processor: ours, reference',
  'busy: ours, reference',
  'outcome',
];
const verdicts = { reached: 'reached', missed: '**missed**', open: 'not decided', told: '' } as const;

/** A Markdown table, and on what and when it was measured. */
export function resultsTable(results: readonly CaseResult[]): string {
  const rows = results.flatMap((result) =>
    result.failure === undefined
      ? result.findings.filter(({ shares }) => shares === undefined).map(row)
      : [failureRow(result, result.failure)],
  );
  const environments = describeEnvironments(results, 'case', mannerOf);
  return [markdownTable(columns, rows), '', ...environments, ...describeStolenTime(results)].join('\n');
}

/** While a hypervisor serves others everything here stands still: the tails of times tell of that too. */
function describeStolenTime(results: readonly CaseResult[]): string[] {
  const shares = results.flatMap(({ stolenShare }) => (stolenShare === undefined ? [] : [100 * stolenShare]));
  if (shares.length === 0) return [];
  const [least, most] = [Math.min(...shares), Math.max(...shares)].map((share) => share.toFixed(1));
  const noted = `noted for ${shares.length} of ${results.length}`;
  return [
    `Of the processor time wanted, the hypervisor gave ${least} to ${most} % to others during a case (${noted}).`,
  ];
}

/** A Markdown table of each whole that was taken apart. */
export function sharesTable(results: readonly CaseResult[]): string {
  const findings = results.flatMap((result) => result.findings.filter(({ shares }) => shares !== undefined));
  const tables = findings.map(({ what, shares = [] }) => {
    const rows = shares.map(({ name, share, microseconds }) => [
      name,
      `${(100 * share).toFixed(1)} %`,
      String(Math.round(microseconds)),
    ]);
    return markdownTable([what, 'share', 'µs a request'], rows, ['---', '---:', '---:']);
  });
  return tables.join('\n\n');
}

function row({ what, goal, measured, ratios, processor, busy, state, note }: Finding): string[] {
  const outcome = [verdicts[state], note].filter(Boolean).join('; ');
  const results =
    ratios === undefined ? [measured, ''] : [ratios.rates, ratios.processorTimes].map(describeRatio);
  return [what, goal, ...results, decimals(processor), decimals(busy), outcome];
}

function decimals(pair: { ours: number; reference?: number } | undefined): string {
  const values = [pair?.ours, pair?.reference].filter(
    (value) => value !== undefined && Number.isFinite(value),
  );
  return values.map((value) => value?.toFixed(2)).join(', ');
}

function failureRow({ what, goal }: CaseResult, failure: string): string[] {
  return [what, goal, '', '', '', '', `not measured: ${failure}`];
}

function mannerOf({ isQuick, isPinned }: CaseResult): string[] {
  return [
    isPinned ? 'servers on one core, stores and clients on another' : 'processes not kept on cores',
    ...(isQuick ? ['short blocks'] : []),
  ];
}
