import test from 'ava';
import type { IDeployment } from 'kubernetes-models/apps/v1/Deployment';
import { everyRendering, production } from './kubernetes/kustomize.ts';
import { nameOf, theOne } from './kubernetes/manifest.ts';
import { schemaFaults } from './kubernetes/schema-check.ts';

for (const rendering of everyRendering) {
  test(`every object of ${rendering.name} has the fields of its kind, of their types, and no other`, async (t) => {
    const faults: string[] = [];
    for (const object of rendering.objects) {
      for (const fault of await schemaFaults(object)) faults.push(`${nameOf(rendering, object)} ${fault}`);
    }
    t.deepEqual(faults, []);
  });
}

type Change = { title: string; change(deployment: IDeployment): void; fault: RegExp };

const faultyDeployments: Change[] = [
  {
    title: 'a field that its kind does not have',
    change: ({ spec }) => Object.assign(spec?.template.spec ?? {}, { terminationGraceSeconds: 30 }),
    fault: /\/spec\/template\/spec\/terminationGraceSeconds is not known/,
  },
  {
    title: 'a field of the wrong type',
    change: ({ spec }) => Object.assign(spec ?? {}, { replicas: 'two' }),
    fault: /\/spec\/replicas type/,
  },
  {
    title: 'a field that is missing',
    change: ({ spec }) => Object.assign(spec ?? {}, { selector: undefined }),
    fault: /\/spec required .*selector/,
  },
  {
    title: 'a field without a value',
    change: ({ spec }) => Object.assign(spec?.template.spec ?? {}, { securityContext: null }),
    fault: /\/spec\/template\/spec\/securityContext is not known/,
  },
];

for (const { title, change, fault } of faultyDeployments) {
  test(`${title} is found`, async (t) => {
    const deployment = structuredClone(theOne(production, 'Deployment', 'resource-api'));
    change(deployment);
    const faults = await schemaFaults(deployment);
    t.is(faults.length, 1);
    t.regex(faults[0] ?? '', fault);
  });
}

test('a field that a custom resource does not have is found, and a kind that has no schema', async (t) => {
  const cluster = structuredClone(theOne(production, 'Cluster', 'postgresql'));
  Object.assign(cluster.spec.postgresql, { synchronus: {} });
  t.deepEqual(await schemaFaults(cluster), [
    '/spec/postgresql additionalProperties {"additionalProperty":"synchronus"}',
  ]);
  t.deepEqual(await schemaFaults({ ...cluster, kind: 'Clusters' }), [
    'there is no schema of postgresql.cnpg.io/v1/Clusters',
  ]);
});
