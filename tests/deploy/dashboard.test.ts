import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test from 'ava';
import { stringify } from 'yaml';
import { expressionsOf, overlaps, readDashboard } from './monitoring/dashboard-file.ts';
import { readKnownNames, unknownNames } from './monitoring/known-series.ts';
import { namesIn } from './monitoring/promql-names.ts';
import { runPromtool, testWithPromtool } from './monitoring/promtool.ts';
import { readRules } from './monitoring/rule-files.ts';

const dashboard = readDashboard();
const expressions = expressionsOf(dashboard);
const panels = dashboard.panels.filter(({ type }) => type !== 'row');
const columns = 24;

test('panels have ids of their own and lie beside one another on the grid', (t) => {
  const ids = dashboard.panels.map(({ id }) => id);
  t.is(new Set(ids).size, ids.length);
  t.deepEqual(overlaps(dashboard.panels), []);
  for (const { gridPos, title } of dashboard.panels) t.true(gridPos.x + gridPos.w <= columns, title);
});

test('panels that lie on one another are noticed', (t) => {
  const at = (title: string, x: number, y: number) => ({ title, gridPos: { x, y, w: 8, h: 8 } });
  t.deepEqual(overlaps([at('a', 0, 0), at('b', 8, 0), at('c', 0, 8), at('d', 7, 7)]), [
    'a and d',
    'b and d',
    'c and d',
  ]);
});

test('a panel has a title, a unit, and asks the data source that was chosen', (t) => {
  t.true(panels.length > 30);
  for (const { title, fieldConfig, datasource, targets = [] } of panels) {
    t.regex(title, /^.{4,60}$/);
    t.truthy(fieldConfig?.defaults.unit, title);
    t.is(datasource?.uid, ['$', '{datasource}'].join(''), title);
    t.true(targets.length > 0, title);
    t.is(new Set(targets.map(({ refId }) => refId)).size, targets.length, title);
  }
});

test('variables are declared before they are used, the data source first', (t) => {
  const { list } = dashboard.templating;
  t.deepEqual(
    list.map(({ name }) => name),
    ['datasource', 'namespace', 'job', 'instance'],
  );
  const text = JSON.stringify(dashboard.panels);
  const used = [...text.matchAll(/\$\{?(?!__)(\w+)/g)].map(([, name]) => name);
  t.deepEqual([...new Set(used)].toSorted(), list.map(({ name }) => name).toSorted());
});

test('the schema’s version is the last one of dashboards that are files', (t) => {
  t.is(dashboard.schemaVersion, 42);
});

test('panels name metrics, labels and values that the services serve', (t) => {
  const known = readKnownNames(readRules().flatMap(({ record }) => record ?? []));
  const faults = expressions.map(({ title, expression }) => [title, ...unknownNames(expression, known)]);
  t.deepEqual(
    faults.filter(({ length }) => length > 1),
    [],
  );
});

test('legends name labels that their series keep', (t) => {
  for (const { expression, legend, title } of expressions) {
    const { groupings } = namesIn(expression);
    const named = [...legend.matchAll(/\{\{(\w+)\}\}/g)].map(([, label = '']) => label);
    const kept = groupings.length > 0 ? groupings : ['job', 'instance'];
    t.deepEqual(
      named.filter((label) => !kept.includes(label)),
      [],
      title,
    );
  }
});

test('every metric that is served is shown on some panel', (t) => {
  const shown = new Set(
    expressions.flatMap(({ expression }) => namesIn(expression).selectors.map(({ metric }) => metric)),
  );
  const bare = (name: string) => name.replace(/_(bucket|sum|count)$/, '');
  const shownFamilies = new Set([...shown].map(bare));
  const served = [...readKnownNames([]).series.keys()].map(bare).filter((name) => name !== 'up');
  t.deepEqual([...new Set(served)].filter((name) => !shownFamilies.has(name)).toSorted(), [
    'process_start_time_seconds',
  ]);
});

testWithPromtool('Prometheus accepts the panels’ expressions', (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dashboard-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const rules = expressions.map(({ expression }, index) => ({
    record: `panel:expression_${index}:value`,
    expr: expression,
  }));
  writeFileSync(path.join(folder, 'rules.yaml'), stringify({ groups: [{ name: 'panels', rules }] }));
  const { status, output } = runPromtool({ directory: folder }, 'check', 'rules', 'rules.yaml');
  t.is(status, 0, output);
});
