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
  const lines = [columns, columns.map(() => '---'), ...rows].map((cells) => `| ${cells.join(' | ')} |`);
  return [...lines, '', ...measuredOn(results)].join('\n');
}

/** A Markdown table of each whole that was taken apart. */
export function sharesTable(results: readonly CaseResult[]): string {
  const findings = results.flatMap((result) => result.findings.filter(({ shares }) => shares !== undefined));
  const tables = findings.map(({ what, shares = [] }) =>
    [
      [what, 'share'],
      ['---', '---:'],
      ...shares.map(({ name, share }) => [name, `${Math.round(100 * share)} %`]),
    ]
      .map((cells) => `| ${cells.map(cell).join(' | ')} |`)
      .join('\n'),
  );
  return tables.join('\n\n');
}

function row({ what, goal, measured, processor, state, note }: Finding): string[] {
  const times =
    processor === undefined ? '' : `${processor.ours.toFixed(2)}, ${processor.reference.toFixed(2)}`;
  const outcome = [verdicts[state], note].filter(Boolean).join('; ');
  return [what, goal, measured, times, outcome].map(cell);
}

function failureRow({ what, goal }: CaseResult, failure: string): string[] {
  return [what, goal, '', '', `not measured: ${failure}`].map(cell);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function measuredOn(results: readonly CaseResult[]): string[] {
  const groups = Map.groupBy(results, ({ ranAt, isQuick, isPinned, environment }) => {
    const { machine, node, postgresql, redis } = environment;
    const manner = [
      isPinned ? 'servers on one core, stores and clients on another' : 'processes not kept on cores',
      ...(isQuick ? ['short blocks'] : []),
    ].join(', ');
    return `Measured on ${ranAt.slice(0, 10)}: ${machine}; Node ${node}, PostgreSQL ${postgresql}, Redis ${redis}; ${manner}`;
  });
  return [...groups].map(([line, of]) => {
    const loads = of.flatMap(({ environment }) => environment.loadAverage ?? []);
    const busy = `load average before a case ${Math.min(...loads)} to ${Math.max(...loads)}`;
    return `${line}; ${busy}${groups.size === 1 ? '' : `: ${of.map(({ id }) => id).join(', ')}`}.`;
  });
}
