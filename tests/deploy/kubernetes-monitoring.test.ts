import { readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { parse, stringify } from 'yaml';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { production } from './kubernetes/kustomize.ts';
import { ofKind, theOne } from './kubernetes/manifest.ts';
import { schemaFaults } from './kubernetes/schema-check.ts';

const component = path.join(projectFolder, 'deploy/k8s/components/monitoring');
const monitoring = path.join(projectFolder, 'deploy/monitoring');
const ruleFile = path.join(component, 'prometheus-rule.yaml');
const dashboardFile = path.join(component, 'dashboard.json');
const readText = (file: string): string => readFileSync(file, 'utf8');

/*
 * kustomize reads no file outside of its folder, so the component has copies.
 * UPDATE_GOLDEN=1 npm test -- tests/deploy/kubernetes-monitoring.test.ts
 * makes them anew.
 */
test.serial('the rules of the cluster are those of deploy/monitoring', async (t) => {
  const { groups } = parse(readText(path.join(monitoring, 'rules.yaml')));
  const metadata = { name: 'task-management' };
  const rule = { apiVersion: 'monitoring.coreos.com/v1', kind: 'PrometheusRule', metadata, spec: { groups } };
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(ruleFile, stringify(rule, { lineWidth: 0 }));
  t.deepEqual(parse(readText(ruleFile)), rule);
  t.deepEqual(await schemaFaults(rule), []);
});

test.serial('the dashboard of the cluster is that of deploy/monitoring', (t) => {
  const dashboard = readText(path.join(monitoring, 'dashboard.json'));
  if (process.env.UPDATE_GOLDEN === '1') writeFileSync(dashboardFile, dashboard);
  t.is(readText(dashboardFile), dashboard);
  // Larger ones can't be kept in the annotation of a client-side apply.
  t.true(Buffer.byteLength(dashboard) < 262_144);
});

test('Grafana finds the dashboard by its label', (t) => {
  const dashboard = theOne(production, 'ConfigMap', 'grafana-dashboard');
  t.is(dashboard.metadata.labels?.grafana_dashboard, '1');
});

test('Prometheus finds the management port of each service, under the job the rules know', (t) => {
  const [monitor] = ofKind(production, 'ServiceMonitor');
  const wanted = Object.entries(monitor?.spec.selector.matchLabels ?? {});
  const chosen = ofKind(production, 'Service').filter(({ metadata }) =>
    wanted.every(([label, value]) => metadata.labels?.[label] === value),
  );
  const found = chosen.map(({ metadata, spec }) => ({
    job: metadata.labels?.[monitor?.spec.jobLabel ?? ''],
    pods: spec?.selector,
    ports: spec?.ports?.map(({ name, targetPort }) => ({ name, targetPort })),
    startingToo: spec?.publishNotReadyAddresses,
  }));
  const expected = ['auth-server', 'resource-api'].map((job) => ({
    job,
    pods: { 'app.kubernetes.io/name': job },
    ports: [{ name: 'management', targetPort: 'management' }],
    startingToo: true,
  }));
  t.deepEqual(found, expected);
  t.deepEqual(
    monitor?.spec.endpoints.map(({ port, path }) => ({ port, path })),
    [{ port: 'management', path: '/metrics' }],
  );
});
