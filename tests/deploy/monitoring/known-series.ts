import { readProjectFiles } from '#tests/architecture/source-files.ts';
import { readMetricsTable } from '#tests/observability/metrics-table.ts';
import { type NamesInExpression, namesIn, type Selector } from './promql-names.ts';

/** A series Prometheus has, and the jobs whose targets bring it. */
type KnownSeries = { labels: readonly string[]; jobs: readonly string[] };

export type KnownNames = {
  series: ReadonlyMap<string, KnownSeries>;
  /** Whether the services' code has this word as the value of a label. */
  isValue(word: string): boolean;
};

const services = ['auth-server', 'resource-api'];
/** What a scrape adds to every series. */
const targetLabels = ['job', 'namespace', 'instance'];
const suffixes: Readonly<Record<string, readonly string[]>> = {
  histogram: ['_bucket', '_sum', '_count'],
};
/** Their values are composed, or the platform's. */
const freeLabels = new Set(['route', 'status', 'le', 'namespace', 'instance']);

/** The table of metrics is compared with what the services serve by `tests/observability`. */
export function readKnownNames(recorded: readonly string[]): KnownNames {
  const [guide] = readProjectFiles(/^docs\/operating\.md$/);
  const series = new Map<string, KnownSeries>([['up', { labels: targetLabels, jobs: services }]]);
  for (const name of recorded) series.set(name, { labels: ['namespace', 'job'], jobs: services });
  for (const { name, type, labels, service } of readMetricsTable(guide?.text ?? '')) {
    const jobs = service === 'both' ? services : [service];
    for (const suffix of suffixes[type] ?? [''])
      series.set(name + suffix, { labels: [...labels, ...targetLabels, 'le'], jobs });
  }
  const sources = readProjectFiles(/^(shared|services)\/.*\.ts$/).map(({ text }) => text);
  return { series, isValue: (word) => sources.some((text) => text.includes(`'${word}'`)) };
}

/** What an expression names that no service has, in words. */
export function unknownNames(expression: string, known: KnownNames): string[] {
  const names = namesIn(expression);
  const faults = names.selectors.flatMap((selector) => faultsOf(selector, known));
  const labels = new Set(names.selectors.flatMap(({ metric }) => known.series.get(metric)?.labels ?? []));
  return [...faults, ...unknownGroupings(names, labels)];
}

function unknownGroupings({ groupings }: NamesInExpression, labels: ReadonlySet<string>): string[] {
  return groupings.filter((label) => !labels.has(label)).map((label) => `no series has the label ${label}`);
}

function faultsOf({ metric, matchers }: Selector, { series, isValue }: KnownNames): string[] {
  const found = series.get(metric);
  if (found === undefined) return [`${metric} is not served`];
  return matchers.flatMap(({ label, values }) => {
    if (!found.labels.includes(label)) return [`${metric} has no label ${label}`];
    if (label === 'job')
      return found.jobs.some((job) => values.includes(job)) ? [] : [`${values} has no ${metric}`];
    if (freeLabels.has(label)) return [];
    return values.filter((value) => !isValue(value)).map((value) => `${metric} has no ${label}="${value}"`);
  });
}
