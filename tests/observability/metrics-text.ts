export type Family = { name: string; type: string; labels: Set<string> };
type Sample = { name: string; labels: Record<string, string>; value: number };

type MetricsText = {
  families: Family[];
  samples: Sample[];
  /** The sum of all samples of that name whose labels include these; 0 when there is none. */
  value(name: string, labels?: Record<string, string>): number;
  valuesOf(name: string, label: string): string[];
};

/** Reads Prometheus' text format, as far as it is used. */
export function readMetrics(text: string): MetricsText {
  const lines = text.split('\n');
  const samples = lines.filter((line) => line !== '' && !line.startsWith('#')).map(readSample);
  const families = readFamilies(lines, samples);
  const matching = (name: string, labels: Record<string, string>): Sample[] =>
    samples.filter(
      (sample) =>
        sample.name === name &&
        Object.entries(labels).every(([label, value]) => sample.labels[label] === value),
    );
  return {
    families,
    samples,
    value: (name, labels = {}) => matching(name, labels).reduce((sum, { value }) => sum + value, 0),
    valuesOf: (name, label) => [...new Set(matching(name, {}).map(({ labels }) => labels[label] ?? ''))],
  };
}

function readFamilies(lines: readonly string[], samples: readonly Sample[]): Family[] {
  const families = new Map<string, Family>();
  for (const line of lines) {
    const [, name, type = ''] = /^# TYPE (\S+) (.*)$/.exec(line) ?? [];
    if (name !== undefined) families.set(name, { name, type, labels: new Set<string>() });
  }
  for (const { name, labels } of samples) {
    const family = families.get(name) ?? families.get(name.replace(/_(bucket|sum|count)$/, ''));
    for (const label of Object.keys(labels)) if (label !== 'le') family?.labels.add(label);
  }
  return [...families.values()];
}

function readSample(line: string): Sample {
  const [, name = '', labels = '', value = ''] = /^([a-z0-9_]+)(?:\{(.*)\})? (\S+)$/i.exec(line) ?? [];
  if (name === '') throw new Error(`not a sample: ${line}`);
  const pairs = [...labels.matchAll(/([a-z_]+)="((?:[^"\\]|\\.)*)"/g)].map(([, key, text]) => [key, text]);
  return { name, labels: Object.fromEntries(pairs), value: Number(value) };
}
