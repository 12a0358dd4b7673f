import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { collectDefaultMetrics, Registry } from 'prom-client';
import { parse, stringify } from 'yaml';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { readMetricsList } from '#tests/observability/metrics-list.ts';
import { runPromtool, testWithPromtool } from '#tests/support/promtool.ts';

type Rule = {
  expr: string;
  for?: string;
  record?: string;
  alert?: string;
  labels?: { severity?: string };
  annotations?: { summary?: string; description?: string; runbook_url?: string };
};
type Panel = { title: string; targets?: { expr: string }[] };

const folder = path.join(projectFolder, 'deploy/monitoring');
const read = (file: string) => readFileSync(path.join(folder, file), 'utf8');
const ruleFile: { groups: { rules: Rule[] }[] } = parse(read('rules.yaml'));
const rules = ruleFile.groups.flatMap((group) => group.rules);
const dashboard: { panels: Panel[] } = JSON.parse(read('dashboard.json'));
const guide = readFileSync(path.join(projectFolder, 'docs/operating.md'), 'utf8');

/** With every variable of Grafana set to «All». */
const panelExpressions = dashboard.panels
  .flatMap(({ targets = [] }) => targets)
  .map(({ expr }) =>
    expr
      .replaceAll('$__rate_interval', '5m')
      .replaceAll('$job', 'auth-server|resource-api')
      .replaceAll(/\$(namespace|instance)/g, '.*'),
  );

testWithPromtool('Prometheus accepts the rules', (t) => {
  const { status, output } = runPromtool({ cwd: folder }, 'check', 'rules', 'rules.yaml');
  t.is(status, 0, output);
});

function temporaryFolder(t: ExecutionContext): string {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'rules-'));
  t.teardown(() => rmSync(directory, { recursive: true }));
  return directory;
}

type Case = { promql_expr_test: { expr: string; exp_samples: unknown[] }[] };
type Cases = { rule_files: string[]; tests: Case[] };
const files = ['rules.test.yaml', 'rules-of-months.test.yaml'];
const caseFiles = files.map((file): Cases => parse(read(file)));

/** An alert's cases run with the rules of its group alone: promtool evaluates all, for every case. */
testWithPromtool('alerts fire when they should and else do not', (t) => {
  const directory = temporaryFolder(t);
  const cases = ruleFile.groups.flatMap((group, number) => {
    writeFileSync(path.join(directory, `${number}.yaml`), stringify({ groups: [group] }));
    const isOwn = ({ promql_expr_test: expressions }: Case): boolean =>
      expressions.every(({ expr }) => group.rules.some(({ alert }) => alert && expr.includes(`"${alert}"`)));
    return caseFiles.flatMap((file) => {
      const tests = file.tests.filter(isOwn);
      return tests.length === 0 ? [] : [{ ...file, rule_files: [`${number}.yaml`], tests }];
    });
  });
  const names = cases.map((file, number) => {
    writeFileSync(path.join(directory, `${number}.test.yaml`), stringify(file));
    return `${number}.test.yaml`;
  });
  const total = (each: readonly Cases[]) => each.reduce((sum, { tests }) => sum + tests.length, 0);
  t.is(total(cases), total(caseFiles));
  const { status, output } = runPromtool({ cwd: directory }, 'test', 'rules', ...names);
  t.is(status, 0, output);
});

testWithPromtool('Prometheus accepts the expressions of the dashboard', (t) => {
  const directory = temporaryFolder(t);
  const recorded = panelExpressions.map((expr, index) => ({
    record: `panel:expression_${index}:value`,
    expr,
  }));
  t.true(recorded.length > 30);
  const text = stringify({ groups: [{ name: 'panels', rules: recorded }] });
  writeFileSync(path.join(directory, 'rules.yaml'), text);
  const { status, output } = runPromtool({ cwd: directory }, 'check', 'rules', 'rules.yaml');
  t.is(status, 0, output);
});

test('rules and dashboard name metrics and labels that the services serve', (t) => {
  const metrics = readMetricsList(guide);
  const register = new Registry();
  collectDefaultMetrics({ register });
  const families = [...metrics, ...register.getMetricsAsArray()];
  const series = families.flatMap(({ name }) => [name, `${name}_bucket`, `${name}_sum`, `${name}_count`]);
  const recorded = rules.flatMap(({ record }) => record ?? []);
  const known = new Set([...series, ...metrics.flatMap(({ labels }) => labels), ...recorded]);
  // A name with an underscore that is neither text nor a function.
  const name = /"[^"]*"|\b([a-z][\w:]*_[\w:]*)\b(?!\s*\()/g;
  for (const expr of [...rules.map((rule) => rule.expr), ...panelExpressions]) {
    const named = [...expr.matchAll(name)].flatMap(([, found]) => found ?? []);
    t.deepEqual(
      named.filter((word) => !known.has(word)),
      [],
      expr,
    );
  }
});

test('every alert has a severity, a description and its section in the guide', (t) => {
  const alerts = rules.filter(({ alert }) => alert !== undefined);
  const [, section = ''] = /^## Alerts\n(.*?)(?=^## )/ms.exec(guide) ?? [];
  const headings = [...section.matchAll(/^#+ (\w+)$/gm)].map(([, heading = '']) => heading.toLowerCase());
  for (const { alert = '', labels, annotations } of alerts) {
    t.regex(labels?.severity ?? '', /^(page|ticket)$/, alert);
    t.truthy(annotations?.summary && annotations.description, alert);
    t.is(annotations?.runbook_url, `docs/operating.md#${alert.toLowerCase()}`);
  }
  t.deepEqual(
    headings.toSorted(),
    [...new Set(alerts.map(({ alert = '' }) => alert.toLowerCase()))].toSorted(),
  );
});

test('every alert has a case in which it fires and one in which it does not', (t) => {
  const cases = caseFiles.flatMap(({ tests }) => tests).flatMap((each) => each.promql_expr_test);
  for (const { alert } of rules.filter((rule) => rule.alert !== undefined)) {
    const own = cases.filter(({ expr }) => expr.includes(`alertname="${alert}"`));
    t.true(
      own.some(({ exp_samples: samples }) => samples.length > 0),
      `${alert} fires`,
    );
    t.true(
      own.some(({ exp_samples: samples }) => samples.length === 0),
      `${alert} does not fire`,
    );
  }
});

/* A Prometheus operator reads no rule file: UPDATE_GOLDEN=1 writes the object anew. */
test('the PrometheusRule for a cluster has the rules of the file', (t) => {
  const file = path.join(folder, 'kubernetes/prometheus-rule.yaml');
  const rule = {
    apiVersion: 'monitoring.coreos.com/v1',
    kind: 'PrometheusRule',
    metadata: { name: 'task-management' },
    spec: { groups: ruleFile.groups },
  };
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(file, stringify(rule, { lineWidth: 0 }));
  t.deepEqual(parse(readFileSync(file, 'utf8')), rule);
});
