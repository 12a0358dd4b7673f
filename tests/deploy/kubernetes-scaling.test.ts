import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { parse } from 'yaml';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { connectionsAtMost } from './kubernetes/connections.ts';
import { alternatives, everyRendering, local, production } from './kubernetes/kustomize.ts';
import { nameOf, ofKind, type Rendering, theOne } from './kubernetes/manifest.ts';
import { selects, serviceNames, servicesOf, workloadsOf } from './kubernetes/workload.ts';

const scaled = [production, alternatives];
const everyService = everyRendering.flatMap((rendering) => serviceNames.map((name) => ({ rendering, name })));

test('each service is scaled by itself', (t) => {
  for (const rendering of scaled) {
    const targets = ofKind(rendering, 'HorizontalPodAutoscaler').map(({ spec }) => spec?.scaleTargetRef);
    t.deepEqual(
      targets,
      serviceNames.map((name) => ({ apiVersion: 'apps/v1', kind: 'Deployment', name })),
    );
  }
});

test('a number of replicas is written where nothing scales, and nowhere else', (t) => {
  for (const { rendering, name } of everyService) {
    const { spec } = theOne(rendering, 'Deployment', name);
    const isScaled = ofKind(rendering, 'HorizontalPodAutoscaler').some(
      ({ metadata }) => metadata.name === name,
    );
    t.is(spec?.replicas === undefined, isScaled, `${rendering.name}: ${name}`);
  }
  t.deepEqual(ofKind(local, 'HorizontalPodAutoscaler'), []);
});

test('one replica that goes leaves another', (t) => {
  for (const { spec, metadata } of scaled.flatMap((rendering) =>
    ofKind(rendering, 'HorizontalPodAutoscaler'),
  )) {
    t.true((spec?.minReplicas ?? 1) >= 2, metadata.name);
  }
});

test('auth-server has a lower ceiling than resource-api', (t) => {
  for (const rendering of scaled) {
    const most = (name: string) => theOne(rendering, 'HorizontalPodAutoscaler', name).spec?.maxReplicas ?? 0;
    t.true(most('auth-server') < most('resource-api'));
  }
});

test('replicas are added before their processor time runs out', (t) => {
  for (const { spec, metadata } of scaled.flatMap((rendering) =>
    ofKind(rendering, 'HorizontalPodAutoscaler'),
  )) {
    const [cpu] = spec?.metrics ?? [];
    t.is(cpu?.resource?.name, 'cpu', metadata.name);
    t.true((cpu?.resource?.target.averageUtilization ?? 100) <= 70, metadata.name);
  }
});

test('replicas are taken away slowly, one by one', (t) => {
  for (const { spec, metadata } of scaled.flatMap((rendering) =>
    ofKind(rendering, 'HorizontalPodAutoscaler'),
  )) {
    const { stabilizationWindowSeconds = 0, policies } = spec?.behavior?.scaleDown ?? {};
    t.true(stabilizationWindowSeconds >= 300, metadata.name);
    t.deepEqual(policies, [{ type: 'Pods', value: 1, periodSeconds: 60 }], metadata.name);
  }
});

test('a drained node takes one replica at a time, and never waits for one that is not ready', (t) => {
  for (const rendering of everyRendering) {
    const budgets = ofKind(rendering, 'PodDisruptionBudget').map(({ metadata, spec }) => ({
      name: metadata.name,
      ...spec,
    }));
    const expected = serviceNames.map((name) => ({
      name,
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
    }));
    t.deepEqual(budgets as unknown, expected);
  }
});

test('an update adds a ready pod before it takes one away', (t) => {
  for (const { rendering, name } of everyService) {
    const { spec } = theOne(rendering, 'Deployment', name);
    t.deepEqual(spec?.strategy, {
      type: 'RollingUpdate',
      rollingUpdate: { maxSurge: 1, maxUnavailable: 0 },
    });
    t.true((spec?.minReadySeconds ?? 0) >= 5, name);
  }
});

test('replicas of one release spread over zones and nodes', (t) => {
  for (const { pod, name, place } of everyRendering.flatMap(servicesOf)) {
    const spread = (pod.topologySpreadConstraints ?? []).map(({ topologyKey, maxSkew, ...rest }) => ({
      topologyKey,
      maxSkew,
      per: rest.matchLabelKeys,
      of: rest.labelSelector?.matchLabels,
    }));
    const expected = ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'].map((topologyKey) => ({
      topologyKey,
      maxSkew: 1,
      per: ['pod-template-hash'],
      of: { 'app.kubernetes.io/name': name },
    }));
    t.deepEqual(spread, expected, place);
  }
});

test('PostgreSQL has a connection for every replica there can be, migrations and administrators included', (t) => {
  const { parameters } = theOne(production, 'Cluster', 'postgresql').spec.postgresql;
  t.true(connectionsAtMost(production) <= Number(parameters.max_connections));
  const { container } = workloadsOf(local).find(({ name }) => name === 'postgresql') ?? {};
  const limit = /max_connections=(\d+)/.exec(container?.args?.join(' ') ?? '')?.[1];
  t.true(connectionsAtMost(local) <= Number(limit));
});

test('a selector finds the pods of its own workload and no others', (t) => {
  for (const rendering of everyRendering) {
    const owners = [...ofKind(rendering, 'Deployment'), ...ofKind(rendering, 'StatefulSet')];
    for (const owner of owners) {
      t.deepEqual(podsFound(rendering, owner.spec?.selector.matchLabels), [owner.metadata.name]);
    }
    for (const service of ofKind(rendering, 'Service')) {
      const expected = service.metadata.name.replace(/-management$/, '');
      t.deepEqual(podsFound(rendering, service.spec?.selector), [expected], nameOf(rendering, service));
    }
  }
});

function podsFound(rendering: Rendering, selector: Readonly<Record<string, string>> | undefined): string[] {
  return workloadsOf(rendering)
    .filter(({ labels }) => selects(selector, labels))
    .map(({ name }) => name);
}

test('a release changes no selector: a Deployment keeps its own for ever', (t) => {
  for (const { rendering, name } of everyService) {
    t.deepEqual(theOne(rendering, 'Deployment', name).spec?.selector.matchLabels, {
      'app.kubernetes.io/name': name,
    });
  }
});

test('the metrics that replicas are scaled by are made by the adapter from metrics of the services', (t) => {
  const asked = ofKind(alternatives, 'HorizontalPodAutoscaler').map(({ spec }) =>
    (spec?.metrics ?? []).flatMap(({ pods }) => (pods ? [pods.metric.name] : [])),
  );
  const rules = readAdapterRules();
  const made = rules.map(({ seriesQuery, name }) => name?.as ?? seriesName(seriesQuery));
  t.deepEqual(asked, [made, made]);
  const documented = readFileSync(path.join(projectFolder, 'docs/operating.md'), 'utf8');
  for (const { seriesQuery } of rules) t.true(documented.includes(`\`${seriesName(seriesQuery)}\``));
});

type AdapterRule = { seriesQuery: string; name?: { as: string } };

function readAdapterRules(): AdapterRule[] {
  const file = 'deploy/k8s/components/custom-metrics/prometheus-adapter-values.yaml';
  const { rules }: { rules: { custom: AdapterRule[] } } = parse(
    readFileSync(path.join(projectFolder, file), 'utf8'),
  );
  return rules.custom;
}

function seriesName(query: string): string {
  return query.split('{')[0] ?? '';
}
