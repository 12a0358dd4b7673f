import { parse } from 'yaml';
import { readProjectFiles } from '#tests/architecture/source-files.ts';

export type Rule = {
  expr: string;
  record?: string;
  alert?: string;
  for?: string;
  labels?: Readonly<Record<string, string>>;
  annotations?: Readonly<Record<string, string>>;
};
export type Alert = Rule & { alert: string };

type RuleFile = { groups: { name: string; rules: Rule[] }[] };
type RuleTests = {
  tests: { promql_expr_test: { expr: string; exp_samples: { labels: string }[] }[] }[];
};

export const rulesPath = 'deploy/monitoring/rules.yaml';

export function readRules(): Rule[] {
  const [file] = readProjectFiles(/^deploy\/monitoring\/rules\.yaml$/);
  const { groups }: RuleFile = parse(file?.text ?? '');
  return groups.flatMap(({ rules }) => rules);
}

export function alertsAmong(rules: readonly Rule[]): Alert[] {
  return rules.filter((rule): rule is Alert => rule.alert !== undefined);
}

/** What promtool is told about alerts: `{alert, fires}`, once for each case; `fires` lists the severities. */
export function readAlertCases(): { alert: string; fires: string[] }[] {
  const files = readProjectFiles(/^deploy\/monitoring\/.*\.test\.yaml$/);
  return files
    .flatMap(({ text }) => (parse(text) as RuleTests).tests)
    .flatMap(({ promql_expr_test: cases }) => cases)
    .map(({ expr, exp_samples: samples }) => ({
      alert: /alertname="(\w+)"/.exec(expr)?.[1] ?? '',
      fires: samples.map(({ labels }) => labels),
    }));
}

/** The anchors that headings get, as GitHub makes them. */
export function anchorsIn(markdown: string): string[] {
  const headings = [...markdown.matchAll(/^#+ (.+)$/gm)].map(([, title = '']) => title);
  return headings.map((title) =>
    title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}
