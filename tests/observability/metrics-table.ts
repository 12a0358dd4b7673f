import type { Family } from './metrics-text.ts';

/** One row of the table of metrics, as the operator's documentation shows it. */
type MetricRow = { name: string; type: string; labels: string[]; service: string };

/** The rows of the table headed «metric». */
export function readMetricsTable(markdown: string): MetricRow[] {
  const [table] = markdown.split(/\n(?!\|)/).filter((block) => /^\n?\|\s*metric\s*\|/.test(block));
  const lines = (table ?? '').trim().split('\n').slice(2);
  return lines.map((line) => {
    const [name = '', type = '', labels = '', service = ''] = line
      .split('|')
      .slice(1, -1)
      .map((cell) => cell.trim());
    return {
      name: name.replaceAll('`', ''),
      type,
      labels: labels === '' ? [] : labels.replaceAll('`', '').split(', '),
      service,
    };
  });
}

/** The rows of the metrics that the services serve, with the labels of their samples. */
export function rowsOf(families: Readonly<Record<string, readonly Family[]>>): MetricRow[] {
  const rows = new Map<string, MetricRow>();
  for (const [service, served] of Object.entries(families)) {
    for (const { name, type, labels } of served) {
      const known = rows.get(name);
      rows.set(name, {
        name,
        type,
        labels: [...new Set([...(known?.labels ?? []), ...labels])].toSorted(),
        service: known === undefined ? service : 'both',
      });
    }
  }
  return [...rows.values()].toSorted((left, right) => (left.name < right.name ? -1 : 1));
}
