import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { replacePart } from '#tests/support/document-part.ts';
import { capacityTable } from './capacity-table.ts';
import { drawChart } from './results-chart.ts';
import { type CaseResult, latestResults, publishedResults } from './results-file.ts';
import { resultsTable, sharesTable } from './results-table.ts';

const documents = path.join(import.meta.dirname, '../../../docs');

/**
 * Puts what has run here into the documents, beside what is in them of other cases. `ids`: of all cases, in the order
 * in which they are shown. What was done, a line for each thing.
 */
export function publishResults(ids: readonly string[]): string[] {
  const { publishable, leftOut } = selectPublishable(latestResults.read());
  publishedResults.write(publishable);
  const results = publishedResults
    .read()
    .filter(({ id }) => ids.includes(id))
    .toSorted((left, right) => ids.indexOf(left.id) - ids.indexOf(right.id));
  replaceIn('performance.md', { results: resultsTable(results), shares: sharesTable(results) });
  replaceIn('operating.md', { capacity: capacityTable(results) });
  writeFileSync(path.join(documents, 'performance.svg'), drawChart(results));
  return [...leftOut, 'docs/performance.md, docs/performance.svg and docs/operating.md are written'];
}

/** Only whole measurements replace what the documents show. `leftOut` names the others. */
function selectPublishable(results: readonly CaseResult[]): {
  publishable: CaseResult[];
  leftOut: string[];
} {
  const obstacleOf = ({ isQuick, failure }: CaseResult): string | undefined =>
    failure === undefined ? (isQuick ? 'short blocks (--quick)' : undefined) : 'could not be measured';
  return {
    publishable: results.filter((result) => obstacleOf(result) === undefined),
    leftOut: results.flatMap((result) => {
      const obstacle = obstacleOf(result);
      return obstacle === undefined ? [] : [`left out: ${result.id}, ${obstacle}`];
    }),
  };
}

function replaceIn(name: string, parts: Readonly<Record<string, string>>): void {
  const file = path.join(documents, name);
  const text = Object.entries(parts).reduce(
    (document, [part, content]) => replacePart(document, part, content),
    readFileSync(file, 'utf8'),
  );
  writeFileSync(file, text);
}
