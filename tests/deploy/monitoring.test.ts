import test from 'ava';
import { readProjectFiles } from '#tests/architecture/source-files.ts';
import { readKnownNames, unknownNames } from './monitoring/known-series.ts';
import { alertsAmong, anchorsIn, readAlertCases, readRules, rulesPath } from './monitoring/rule-files.ts';

const rules = readRules();
const alerts = alertsAmong(rules);
const recorded = rules.flatMap(({ record }) => record ?? []);
const known = readKnownNames(recorded);
const guide = readProjectFiles(/^docs\/operating\.md$/)[0]?.text ?? '';

test('rules name metrics, labels and values that the services serve', (t) => {
  t.true(rules.length > 20);
  const faults = rules.map(({ expr, ...rule }) => [rule.alert ?? rule.record, ...unknownNames(expr, known)]);
  t.deepEqual(
    faults.filter(({ length }) => length > 1),
    [],
  );
});

test('a name that no service serves is noticed, whatever it is the name of', (t) => {
  const faultsIn = (expression: string) => unknownNames(expression, known);
  t.deepEqual(faultsIn('rate(http_request_total[5m]) > 0'), ['http_request_total is not served']);
  t.deepEqual(faultsIn('http_request_duration_seconds'), ['http_request_duration_seconds is not served']);
  t.deepEqual(faultsIn('sum by (kind) (up)'), ['no series has the label kind']);
  t.deepEqual(faultsIn('redis_circuit_open{outcome="x"}'), ['redis_circuit_open has no label outcome']);
  t.deepEqual(faultsIn('authentications_total{outcome=~"accepted|unavailible"}'), [
    'authentications_total has no outcome="unavailible"',
  ]);
  t.deepEqual(faultsIn('authentications_total{job="auth-server"}'), [
    'auth-server has no authentications_total',
  ]);
  t.deepEqual(faultsIn('a:b:c or vector(0) and on (job) up{job="auth-server"} offset 5m'), [
    'a:b:c is not served',
  ]);
});

test('every alert says how urgent it is, what is wrong, and where its instructions are', (t) => {
  for (const { alert, labels = {}, annotations = {} } of alerts) {
    t.regex(labels.severity ?? '', /^(page|ticket)$/, alert);
    t.regex(annotations.summary ?? '', /^.{10,100}$/, alert);
    t.regex(annotations.description ?? '', /^.{20,200}$/, alert);
    t.is(annotations.runbook_url, `docs/operating.md#${alert.toLowerCase()}`);
  }
});

test('the guide has a section for every alert and for no other', (t) => {
  const [, section = ''] = /^## Alerts\n(.*?)(?=^## )/ms.exec(guide) ?? [];
  const anchors = anchorsIn(section);
  t.deepEqual(anchors.toSorted(), [...new Set(alerts.map(({ alert }) => alert.toLowerCase()))].toSorted());
});

test('alerts have names of their own but where windows tell them apart; recorded series are named level:metric:operations', (t) => {
  const names = alerts.map(({ alert, labels }) => `${alert} ${labels?.window ?? ''}`);
  t.is(new Set(names).size, names.length);
  t.is(new Set(recorded).size, recorded.length);
  for (const name of recorded) t.regex(name, /^[a-z_]+:[a-z_]+:[a-z0-9_]+$/, rulesPath);
});

test('promtool is told of a case in which each alert fires, and of one in which it does not', (t) => {
  const cases = readAlertCases();
  for (const { alert, labels } of alerts) {
    const own = cases.filter((entry) => entry.alert === alert);
    const marks = Object.entries(labels ?? {}).map(([label, value]) => `${label}="${value}"`);
    const fires = own.flatMap((entry) => entry.fires);
    t.true(
      fires.some((series) => marks.every((mark) => series.includes(mark))),
      `${alert} ${marks}: fires`,
    );
    t.true(
      own.some((entry) => entry.fires.length === 0),
      `${alert}: does not fire`,
    );
  }
  t.deepEqual(
    cases.filter(({ alert }) => !alerts.some((entry) => entry.alert === alert)),
    [],
  );
});
