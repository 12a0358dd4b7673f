import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import type { IContainer } from 'kubernetes-models/v1/Container';
import { projectFolder } from '#tests/architecture/source-files.ts';
import {
  alternatives,
  everyRendering,
  ofKind,
  secretsOf,
  testWithKubectl,
  theOne,
  type Workload,
  workloadsOf,
} from './kubernetes/rendering.ts';

const everyWorkload = everyRendering.flatMap(workloadsOf);
const services = everyWorkload.filter(({ name }) => name === 'auth-server' || name === 'resource-api');
const readProjectFile = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8');

/** TypeScript refuses wrong types, missing fields and unknown fields of an object literal. */
testWithKubectl('every object has the fields of its kind, of their types, and no other', (t) => {
  const folder = path.join(projectFolder, `test-output/kubernetes-${process.pid}`);
  mkdirSync(folder, { recursive: true });
  t.teardown(() => rmSync(folder, { recursive: true }));
  const builtIn = everyRendering
    .flatMap(({ objects }) => objects)
    .filter(({ apiVersion }) =>
      /^(v1|(apps|autoscaling|batch|policy|networking\.k8s\.io)\/.*)$/.test(apiVersion),
    );
  t.true(builtIn.length > 50);
  const lines = builtIn.map(({ apiVersion, kind }, index) =>
    [
      `import type { I${kind} as Kind${index} } from 'kubernetes-models/${apiVersion}/${kind}';`,
      `export const object${index}: Kind${index} = ${JSON.stringify(builtIn[index])};`,
    ].join('\n'),
  );
  writeFileSync(path.join(folder, 'objects.ts'), lines.join('\n'));
  const options = '--ignoreConfig --noEmit --strict --skipLibCheck --target esnext --module nodenext'.split(
    ' ',
  );
  const compiler = path.join(projectFolder, 'node_modules/.bin/tsc');
  const { status, stdout } = spawnSync(compiler, [...options, 'objects.ts'], {
    cwd: folder,
    encoding: 'utf8',
  });
  t.is(status, 0, stdout);
});

const promises: Record<string, (workload: Workload) => boolean> = {
  'runs as a user that exists nowhere else, not as root': ({ pod }) => {
    const { runAsNonRoot, runAsUser = 0, runAsGroup = 0 } = pod.securityContext ?? {};
    return runAsNonRoot === true && runAsUser >= 10_000 && runAsGroup >= 10_000;
  },
  'has the seccomp profile of its runtime': ({ pod }) =>
    pod.securityContext?.seccompProfile?.type === 'RuntimeDefault',
  'has no capability and cannot gain any': ({ container: { securityContext } }) => {
    const { capabilities, allowPrivilegeEscalation, privileged, ...others } = securityContext ?? {};
    const isDropped = capabilities?.drop?.join() === 'ALL' && capabilities.add === undefined;
    return isDropped && allowPrivilegeEscalation === false && !privileged && !('runAsUser' in others);
  },
  'has a read-only root file system and a /tmp of limited size': ({ pod, container }) => {
    const isTemporary = container.volumeMounts?.some(({ mountPath }) => mountPath === '/tmp') === true;
    const isLimited =
      pod.volumes?.every(({ emptyDir }) => !emptyDir || emptyDir.sizeLimit !== undefined) === true;
    return container.securityContext?.readOnlyRootFilesystem === true && isTemporary && isLimited;
  },
  'shares no namespace, port or folder with its node': ({ pod, container }) =>
    !(pod.hostNetwork || pod.hostPID || pod.hostIPC) &&
    !container.ports?.some(({ hostPort }) => hostPort !== undefined) &&
    !pod.volumes?.some(({ hostPath }) => hostPath !== undefined),
  'holds no token of the Kubernetes API, and has a service account of its own': ({ pod, name }) =>
    pod.automountServiceAccountToken === false && pod.serviceAccountName === name,
  'has no addresses of other Services in its environment': ({ pod }) => pod.enableServiceLinks === false,
  'reserves the memory and disk it may use, and has no limit of processor time': ({ container }) => {
    const { requests = {}, limits = {} } = container.resources ?? {};
    const isReserved = ['memory', 'ephemeral-storage'].every(
      (name) => requests[name] && limits[name] === requests[name],
    );
    return isReserved && requests.cpu !== undefined && limits.cpu === undefined;
  },
  'is stopped by SIGTERM alone, and started without init containers': ({ pod, container }) =>
    container.lifecycle === undefined && pod.initContainers === undefined,
  'has an image whose tag stays what it is': ({ container }) =>
    /:v?\d+\.\d+[\w.-]*(@sha256:[0-9a-f]{64})?$/.test(container.image ?? ''),
  'has no secret as a plain value': ({ container }) =>
    !container.env?.some(({ name, value }) => value && /_URL$|PASSWORD|SECRET/.test(name)),
};

for (const [promise, isKept] of Object.entries(promises)) {
  testWithKubectl(`every container ${promise}`, (t) => {
    t.true(everyWorkload.length > 8);
    t.deepEqual(
      everyWorkload.filter((workload) => !isKept(workload)).map(({ place }) => place),
      [],
    );
  });
}

testWithKubectl(
  'the namespace refuses pods that are not restricted, and nobody gets a right at the Kubernetes API',
  (t) => {
    for (const rendering of everyRendering) {
      const { labels = {} } = theOne(rendering, 'Namespace', 'task-management').metadata;
      t.is(labels['pod-security.kubernetes.io/enforce'], 'restricted');
      for (const { kind, metadata } of rendering.objects) {
        t.notRegex(kind, /Role|^Secret$/, metadata.name);
        if (kind !== 'Namespace') t.is(metadata.namespace, 'task-management', metadata.name);
      }
      for (const account of ofKind(rendering, 'ServiceAccount'))
        t.false(account.automountServiceAccountToken);
    }
  },
);

testWithKubectl('each process gets the secrets that it needs and no other', (t) => {
  const expected: Record<string, string[]> = {
    'auth-server': [
      'auth-server-database/DATABASE_URL',
      'redis/REDIS_URL',
      'key-encryption/KEY_ENCRYPTION_SECRET',
      'mail/SMTP_URL',
      'mail/MAIL_FROM',
    ],
    'resource-api': ['resource-api-database/DATABASE_URL', 'redis/REDIS_URL'],
    migration: ['migration-database/DATABASE_URL'],
    postgresql: ['migration-database/username', 'migration-database/password'],
    valkey: ['redis/users.acl'],
  };
  for (const workload of everyWorkload) {
    const secrets = secretsOf(workload).filter((secret) => secret !== 'postgresql-ca/ca.crt');
    t.deepEqual(secrets, expected[workload.name], workload.place);
  }
});

testWithKubectl('the README names every Secret, and External Secrets make those of the services', (t) => {
  const readme = readProjectFile('deploy/k8s/README.md');
  for (const secret of new Set(everyWorkload.flatMap(secretsOf))) {
    const [name, key] = secret.split('/');
    t.regex(readme, new RegExp(`^\\| \`${name}\` \\|.*\`${key}\``, 'm'), secret);
  }
  const made = ofKind(alternatives, 'ExternalSecret').flatMap(({ spec: { target, data } }) => {
    const keys = target.template ? Object.keys(target.template.data) : data.map(({ secretKey }) => secretKey);
    return keys.map((key) => `${target.name}/${key}`);
  });
  const needed = workloadsOf(alternatives)
    .flatMap(secretsOf)
    .filter((secret) => !secret.startsWith('mail/'));
  for (const secret of needed) t.true(made.includes(secret), secret);
});

testWithKubectl('traffic that no policy allows is denied, and every pod has a policy', (t) => {
  for (const rendering of everyRendering) {
    const denial = theOne(rendering, 'NetworkPolicy', 'default-deny').spec;
    t.deepEqual(denial, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] });
    for (const { name } of workloadsOf(rendering)) {
      const own = theOne(rendering, 'NetworkPolicy', name).spec;
      t.deepEqual(own?.podSelector, { matchLabels: { 'app.kubernetes.io/name': name } });
      t.deepEqual(own?.policyTypes, ['Ingress', 'Egress']);
    }
  }
});

testWithKubectl(
  'only auth-server of the programs reaches the internet, and there no address that is not public',
  (t) => {
    for (const rendering of everyRendering) {
      const open = ofKind(rendering, 'NetworkPolicy').flatMap(({ metadata, spec }) =>
        (spec?.egress ?? []).flatMap(({ to = [{}], ports }) => {
          // PostgreSQL’s own pods reach the bucket of their backups.
          const isOpen = to.every(({ podSelector, namespaceSelector }) => !podSelector && !namespaceSelector);
          return isOpen && metadata.name !== 'postgresql' && !metadata.name.startsWith('external-')
            ? to.map(({ ipBlock }) => ({ policy: metadata.name, ipBlock, ports }))
            : [];
        }),
      );
      const ports = [443, 465, 587].map((port) => ({ port, protocol: 'TCP' }));
      const except = [
        ...['0.0.0.0/8', '10.0.0.0/8', '100.64.0.0/10', '127.0.0.0/8', '169.254.0.0/16', '172.16.0.0/12'],
        ...['192.168.0.0/16', '224.0.0.0/4', '240.0.0.0/4'],
      ];
      t.deepEqual(open, [
        { policy: 'auth-server', ipBlock: { cidr: '0.0.0.0/0', except }, ports },
        { policy: 'auth-server', ipBlock: { cidr: '2000::/3' }, ports },
      ]);
    }
  },
);

testWithKubectl(
  'no Service is open to the world, and none that a gateway uses shows the management port',
  (t) => {
    for (const { metadata, spec } of everyRendering.flatMap((rendering) => ofKind(rendering, 'Service'))) {
      t.true(['ClusterIP', undefined].includes(spec?.type), metadata.name);
      t.is(spec?.externalIPs, undefined, metadata.name);
      const ports = spec?.ports?.map(({ targetPort }) => targetPort);
      t.is(ports?.includes('management'), metadata.name.endsWith('-management'), metadata.name);
    }
  },
);

const secondsOf = (probe: IContainer['livenessProbe']) =>
  (probe?.periodSeconds ?? 10) * (probe?.failureThreshold ?? 3);

testWithKubectl('a service has a minute to start, and is alive while its event loop responds', (t) => {
  for (const { place, container } of services) {
    const { startupProbe, livenessProbe, readinessProbe } = container;
    t.true(secondsOf(startupProbe) >= 60, place);
    t.true(secondsOf(livenessProbe) >= 30, place);
    for (const probe of [startupProbe, livenessProbe])
      t.like(probe?.httpGet, { path: '/livez', port: 'management' });
    t.like(readinessProbe?.httpGet, { path: '/readyz', port: 'management' });
  }
});
