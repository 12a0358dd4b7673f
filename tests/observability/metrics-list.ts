import type { Family } from './metrics-text.ts';

/** A metric as the operator's documentation lists it. */
type ListedMetric = { name: string; type: string; labels: string[]; service: string };

/** The lines `name{labels} type` of the documentation, each below `# service`; by name. */
export function readMetricsList(markdown: string): ListedMetric[] {
  const [, list = ''] = /```\n(# both\n.*?)```/s.exec(markdown) ?? [];
  const metrics = list.split('\n\n').flatMap((block) => {
    const [heading = '', ...lines] = block.trim().split('\n');
    return lines.map((line) => {
      const [, name = '', labels, type = ''] = /^(\w+)(?:\{(.+)\})? (\w+)$/.exec(line) ?? [];
      return { name, type, labels: labels?.split(',') ?? [], service: heading.slice(2) };
    });
  });
  return metrics.toSorted(byName);
}

/** The metrics that the services serve, with the labels of their samples. */
export function servedMetrics(families: Readonly<Record<string, readonly Family[]>>): ListedMetric[] {
  const rows = new Map<string, ListedMetric>();
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
  return [...rows.values()].toSorted(byName);
}

function byName(left: ListedMetric, right: ListedMetric): number {
  return left.name < right.name ? -1 : 1;
}
