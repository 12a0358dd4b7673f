import { describeEnvironments } from '#tests/faults/measured-environment.ts';
import { markdownTable } from '#tests/support/markdown-table.ts';
import type { Finding } from './finding.ts';
import type { CaseResult } from './results-file.ts';

const columns = ['measured', 'goal', 'result (95 % interval)', 'ms of processor: ours, reference', 'outcome'];
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
    const rows = shares.map(({ name, share }) => [name, `${Math.round(100 * share)} %`]);
    return markdownTable([what, 'share'], rows, ['---', '---:']);
  });
  return tables.join('\n\n');
}

function row({ what, goal, measured, processor, state, note }: Finding): string[] {
  const times =
    processor === undefined ? '' : `${processor.ours.toFixed(2)}, ${processor.reference.toFixed(2)}`;
  const outcome = [verdicts[state], note].filter(Boolean).join('; ');
  return [what, goal, measured, times, outcome];
}

function failureRow({ what, goal }: CaseResult, failure: string): string[] {
  return [what, goal, '', '', `not measured: ${failure}`];
}

function mannerOf({ isQuick, isPinned }: CaseResult): string[] {
  return [
    isPinned ? 'servers on one core, stores and clients on another' : 'processes not kept on cores',
    ...(isQuick ? ['short blocks'] : []),
  ];
}
