import { readFileSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { variablesRead } from '#tests/architecture/environment-table.ts';
import { projectFolder } from '#tests/architecture/source-files.ts';
import { findInstance } from '../../deploy/admin/find-instance.ts';
import { secretVariables } from '../../deploy/container/secret-files.ts';
import { environmentOf, secretsOf } from './kubernetes/environment.ts';
import {
  alternatives,
  everyRendering,
  kustomizations,
  kustomize,
  kustomizeText,
  parseManifests,
  production,
  testWithKubectl,
} from './kubernetes/kustomize.ts';
import { nameOf, ofKind, type Rendering } from './kubernetes/manifest.ts';
import { except, migrationOf, servicesOf, workloadsOf } from './kubernetes/workload.ts';

const readers = { 'auth-server': readAuthServerConfig, 'resource-api': readResourceApiConfig } as const;
/** What Node and OpenTelemetry's exporter read by themselves. */
const readByOthers = ['NODE_EXTRA_CA_CERTS', 'OTEL_EXPORTER_OTLP_HEADERS'];

const everyService = everyRendering.flatMap((rendering) =>
  (['auth-server', 'resource-api'] as const).map((name) => ({
    rendering,
    name,
    workload: serviceOf(rendering, name),
  })),
);

function serviceOf(rendering: Rendering, wanted: string) {
  const [service] = servicesOf(rendering).filter(({ name }) => name === wanted);
  if (service === undefined) throw new Error(`${rendering.name} has no ${wanted}`);
  return service;
}

test('each service accepts its environment, and its ports are those of its container', (t) => {
  for (const { rendering, name, workload } of everyService) {
    const { port, managementPort, host } = readers[name](environmentOf(rendering, workload));
    t.deepEqual(
      workload.container.ports?.map(({ name, containerPort }) => [name, containerPort]),
      [
        ['http', port],
        ['management', managementPort],
      ],
      workload.place,
    );
    t.is(host, '0.0.0.0', 'probes come from outside of the pod');
  }
});

test('an environment holds nothing that nobody reads', (t) => {
  const known = [...variablesRead([...Object.values(readers), findInstance]), ...readByOthers];
  for (const rendering of everyRendering) {
    for (const workload of [...servicesOf(rendering), migrationOf(rendering)]) {
      const unknown = Object.keys(environmentOf(rendering, workload)).filter((name) => !known.includes(name));
      t.deepEqual(unknown, [], workload.place);
    }
  }
});

test('secrets come from Secrets alone, never from a ConfigMap or a manifest', (t) => {
  for (const rendering of everyRendering) {
    for (const map of ofKind(rendering, 'ConfigMap')) {
      const secret = secretVariables.filter((name) => map.data?.[name] !== undefined);
      t.deepEqual(secret, [], nameOf(rendering, map));
    }
    for (const { container, place } of workloadsOf(rendering)) {
      const plain = (container.env ?? []).filter(({ value }) => value !== undefined).map(({ name }) => name);
      t.deepEqual(
        plain.filter(
          (name) => secretVariables.some((secret) => secret === name) || /PASSWORD|SECRET/.test(name),
        ),
        [],
        place,
      );
    }
  }
});

test('no Secret is rendered', (t) => {
  const secrets = everyRendering.flatMap(({ objects }) => objects.filter(({ kind }) => kind === 'Secret'));
  t.deepEqual(secrets, []);
});

test('the README names every Secret that something asks for', (t) => {
  const readme = readFileSync(path.join(projectFolder, 'deploy/k8s/README.md'), 'utf8');
  const asked = everyRendering.flatMap(workloadsOf).flatMap(secretsOf);
  const ofBackups = ofKind(production, 'ObjectStore').flatMap(({ spec }) =>
    Object.values(spec.configuration.s3Credentials).map(({ name, key }) => `${name}/${key}`),
  );
  for (const secret of new Set([...asked, ...ofBackups])) {
    const [name, key] = secret.split('/');
    const row = new RegExp(`^\\| \`${name}\` \\|.*\`${key}\``, 'm');
    t.regex(readme, row, secret);
  }
});

test('External Secrets make every Secret that a pod asks for, and keep it', (t) => {
  const made = ofKind(alternatives, 'ExternalSecret').flatMap(({ spec: { target, data } }) => {
    const keys = target.template ? Object.keys(target.template.data) : data.map(({ secretKey }) => secretKey);
    return keys.map((key) => `${target.name}/${key}`);
  });
  const asked = workloadsOf(alternatives).flatMap(secretsOf);
  t.deepEqual(
    asked.filter((secret) => !made.includes(secret)),
    [],
  );
  for (const { spec } of ofKind(alternatives, 'ExternalSecret')) t.is(spec.target.deletionPolicy, 'Retain');
});

test('a changed setting replaces the pods: the name of its ConfigMap holds its hash', (t) => {
  for (const rendering of everyRendering) {
    for (const { place, container } of servicesOf(rendering)) {
      const names = (container.envFrom ?? []).map(({ configMapRef }) => configMapRef?.name ?? '');
      t.true(names.length > 0, place);
      for (const name of names) t.regex(name, /-environment-[a-z0-9]{10}$/, place);
    }
  }
});

const changeable = ['production', 'local'] as const;

for (const name of changeable) {
  testWithKubectl(
    `in ${name} a changed setting leaves the migration as it is, which can't be changed`,
    (t) => {
      const changed = kustomizeText(`resources: ['{folder}/${kustomizations[name]}']
configMapGenerator:
  - name: service-environment
    namespace: task-management
    behavior: merge
    literals: [LOG_LEVEL=debug]
`);
      const [before, after] = [kustomize(kustomizations[name]), changed].map((text) => ({
        name,
        objects: parseManifests(text),
      }));
      if (before === undefined || after === undefined) throw new Error('nothing was rendered');
      t.notDeepEqual(ofKind(after, 'Deployment'), ofKind(before, 'Deployment'));
      t.deepEqual(ofKind(after, 'Job'), ofKind(before, 'Job'));
    },
  );
}

test('the migration speaks to PostgreSQL as the services do', (t) => {
  for (const rendering of everyRendering) {
    const modes = [...servicesOf(rendering), migrationOf(rendering)].map(
      (workload) => environmentOf(rendering, workload).PGSSLMODE,
    );
    t.deepEqual(modes, [modes[0], modes[0], modes[0]], rendering.name);
  }
});

test('the services and the migration are one release of one image', (t) => {
  for (const rendering of everyRendering) {
    const images = [...servicesOf(rendering), migrationOf(rendering)].map(({ container }) => container.image);
    t.deepEqual(images, [images[0], images[0], images[0]], rendering.name);
  }
});

test('every image has a tag that stays what it is', (t) => {
  const images = [
    ...everyRendering
      .flatMap(workloadsOf)
      .map(({ place, container }) => ({ place, image: container.image ?? '' })),
    ...ofKind(production, 'Cluster').map(({ spec, metadata }) => ({
      place: metadata.name,
      image: spec.imageName,
    })),
  ];
  for (const { place, image } of images) t.regex(image, /:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/, place);
});

test('production takes its image from a registry', (t) => {
  for (const { container } of servicesOf(production)) t.regex(container.image ?? '', /^[\w.-]+\.[\w.-]+\//);
});

test('the migration is named after its release', (t) => {
  for (const rendering of everyRendering.filter(({ name }) => name !== 'alternatives')) {
    const [job] = ofKind(rendering, 'Job');
    const tag = /:([^@:]+)(@.*)?$/.exec(migrationOf(rendering).container.image ?? '')?.[1];
    t.is(job?.metadata.name, `migration-${tag}`);
  }
});

test('the migration is tried again, in a pod of its own each time, and is removed at last', (t) => {
  for (const rendering of everyRendering) {
    const [job] = ofKind(rendering, 'Job');
    t.true((job?.spec?.backoffLimit ?? 0) >= 3);
    t.is(job?.spec?.template.spec?.restartPolicy, 'Never');
    t.true((job?.spec?.activeDeadlineSeconds ?? 0) >= 600);
    t.true((job?.spec?.ttlSecondsAfterFinished ?? 0) >= 3_600);
  }
});

test('everything is in the one namespace', (t) => {
  for (const rendering of everyRendering) {
    const elsewhere = rendering.objects.filter(
      ({ kind, metadata }) => kind !== 'Namespace' && metadata.namespace !== 'task-management',
    );
    t.deepEqual(
      elsewhere.map((object) => nameOf(rendering, object)),
      [],
    );
  }
});

test('in production PostgreSQL shows a certificate, which is checked', (t) => {
  const authority = '/etc/postgresql-authority';
  const faults = except([...servicesOf(production), migrationOf(production)], (workload) => {
    const { PGSSLMODE: mode, NODE_EXTRA_CA_CERTS: file } = environmentOf(production, workload);
    const mount = workload.container.volumeMounts?.find(({ mountPath }) => mountPath === authority);
    const volume = workload.pod.volumes?.find(({ name }) => name === mount?.name);
    const keys = volume?.secret?.items?.map(({ key }) => key);
    return mode === 'verify-full' && file === `${authority}/ca.crt` && keys?.join() === 'ca.crt';
  });
  t.deepEqual(faults, []);
});
