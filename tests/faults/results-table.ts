import type { ScenarioResult } from './results-file.ts';

const begin = '<!-- results: begin -->';
const end = '<!-- results: end -->';
const columns = [
  'fault',
  'what clients saw',
  'what was lost',
  'how long until healthy',
  'goal reached or what was missed',
];

/** A Markdown table, and on what and when it was measured. */
export function resultsTable(results: readonly ScenarioResult[]): string {
  const lines = [columns, columns.map(() => '---'), ...results.map(row)].map(
    (cells) => `| ${cells.join(' | ')} |`,
  );
  return [...lines, '', ...measuredOn(results)].join('\n');
}

/** Throws an Error when the document has no place for the table. */
export function replaceTable(document: string, table: string): string {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error(`the document lacks ${begin} and ${end}`);
  return `${document.slice(0, from + begin.length)}\n\n${table}\n\n${document.slice(to)}`;
}

function row({ fault, goal, state, reason, outcome }: ScenarioResult): string[] {
  if (outcome === undefined) return [fault, '–', '–', '–', `not run: ${reason}`].map(cell);
  const verdict = state === 'reached' ? `reached: ${goal}` : `**missed**: ${outcome.misses.join('; ')}`;
  return [fault, outcome.clientsSaw, outcome.lost, outcome.healthyAfter, verdict].map(cell);
}

function cell(text: string): string {
  return text.replaceAll('|', '\\|').replaceAll('\n', ' ');
}

function measuredOn(results: readonly ScenarioResult[]): string[] {
  const groups = Map.groupBy(results, ({ ranAt, environment: { machine, node, postgresql, redis } }) => {
    const software = `Node ${node}, PostgreSQL ${postgresql}, Redis ${redis}`;
    return `Measured on ${ranAt.slice(0, 10)}: ${machine}; ${software}`;
  });
  return [...groups].map(([line, of]) => {
    const loads = of.flatMap(({ environment }) => environment.loadAverage ?? []);
    const range = loads.length === 0 ? 'not noted' : `${Math.min(...loads)} to ${Math.max(...loads)}`;
    const busy = `load average before a trial ${range}`;
    return `${line}; ${busy}${groups.size === 1 ? '' : `: ${of.map(({ id }) => id).join(', ')}`}.`;
  });
}
