import { markdownTable } from '#tests/support/markdown-table.ts';
import { describeEnvironments } from './measured-environment.ts';
import type { ScenarioResult } from './results-file.ts';

const columns = [
  'fault',
  'what clients saw',
  'what was lost',
  'how long until healthy',
  'goal reached or what was missed',
];

/** A Markdown table, and on what and when it was measured. */
export function resultsTable(results: readonly ScenarioResult[]): string {
  return [markdownTable(columns, results.map(row)), '', ...describeEnvironments(results, 'trial')].join('\n');
}

function row({ fault, goal, state, reason, outcome }: ScenarioResult): string[] {
  if (outcome === undefined) return [fault, '–', '–', '–', `not run: ${reason}`];
  const verdict = state === 'reached' ? `reached: ${goal}` : `**missed**: ${outcome.misses.join('; ')}`;
  return [fault, outcome.clientsSaw, outcome.lost, outcome.healthyAfter, verdict];
}
