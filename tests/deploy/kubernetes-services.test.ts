import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { DEFAULT_OWNER, OWNED_PATHS } from '#shared/http/path-ownership.ts';
import { bodyLimitBytes } from '#shared/http/request-input.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { variablesRead } from '#tests/architecture/environment-table.ts';
import {
  alternatives,
  environmentOf,
  everyRendering,
  local,
  ofKind,
  production,
  type Rendering,
  testWithKubectl,
  theOne,
  workloadOf,
} from './kubernetes/rendering.ts';

const readers = { 'auth-server': readAuthServerConfig, 'resource-api': readResourceApiConfig } as const;
const serviceNames = ['auth-server', 'resource-api'] as const;
const secrets = {
  DATABASE_URL: 'postgresql://login:password@postgresql:5432/tasks',
  REDIS_URL: 'redis://:password@valkey:6379',
  KEY_ENCRYPTION_SECRET: 'a sample of at least thirty-two characters',
};
const everyService = everyRendering.flatMap((rendering) => {
  if (rendering.objects.length === 0) return [];
  return serviceNames.map((name) => ({ rendering, name, workload: workloadOf(rendering, name) }));
});

testWithKubectl('each service accepts its environment and reads every variable of it', (t) => {
  for (const { rendering, name, workload } of everyService) {
    const environment = environmentOf(rendering, workload, secrets);
    const { port, managementPort, host } = readers[name](environment);
    t.deepEqual(
      workload.container.ports?.map(({ containerPort }) => containerPort),
      [port, managementPort],
    );
    t.is(host, '0.0.0.0', 'probes come from outside of the pod');
    const known = [...variablesRead(Object.values(readers)), 'NODE_EXTRA_CA_CERTS'];
    const unknown = Object.keys(environment).filter((variable) => !known.includes(variable));
    t.deepEqual(unknown, [], workload.place);
  }
});

testWithKubectl('auth-server sends mail once there is a Secret that says how', (t) => {
  const mail = { SMTP_URL: 'smtps://user:password@mail.example.com', MAIL_FROM: 'Tasks <tasks@example.com>' };
  for (const { rendering, workload } of everyService.filter(({ name }) => name === 'auth-server')) {
    const configOf = (values: Record<string, string>) =>
      readAuthServerConfig(environmentOf(rendering, workload, { ...secrets, ...values }));
    t.is(configOf({}).mail, undefined, workload.place);
    t.is(configOf(mail).mail?.kind, 'smtp', workload.place);
  }
});

testWithKubectl('a service that stops is noticed before it stops accepting, and has time to drain', (t) => {
  for (const { rendering, workload } of everyService) {
    const { place, pod, container } = workload;
    const environment = environmentOf(rendering, workload);
    const delay = Number(environment.SHUTDOWN_DELAY_MILLISECONDS) / 1_000;
    const grace = Number(environment.SHUTDOWN_GRACE_MILLISECONDS) / 1_000;
    const { periodSeconds = 10, failureThreshold = 3 } = container.readinessProbe ?? {};
    t.true(delay >= 5 && periodSeconds * failureThreshold < delay, place);
    const closingSeconds = 6;
    t.true((pod.terminationGracePeriodSeconds ?? 30) > delay + grace + closingSeconds, place);
  }
});

testWithKubectl('in production PostgreSQL shows a certificate, which is checked', (t) => {
  for (const name of ['migration', ...serviceNames]) {
    const workload = workloadOf(production, name);
    const expected = { PGSSLMODE: 'verify-full', NODE_EXTRA_CA_CERTS: '/etc/postgresql-authority/ca.crt' };
    t.like(environmentOf(production, workload), expected);
    const mount = workload.container.volumeMounts?.find(
      ({ mountPath }) => mountPath === '/etc/postgresql-authority',
    );
    const volume = workload.pod.volumes?.find(({ name: volumeName }) => volumeName === mount?.name);
    t.like(volume?.secret, { secretName: 'postgresql-ca', items: [{ key: 'ca.crt' }] });
  }
});

type Route = { path: string; isExact: boolean; service: string };

const ownedRoutes: Route[] = [
  ...OWNED_PATHS.map(({ path: owned, owner }) => ({ path: owned, isExact: false, service: owner })),
  { path: '/', isExact: false, service: DEFAULT_OWNER },
];

testWithKubectl('HTTPRoutes and Ingress have the paths of the path table, each at its owner', (t) => {
  const inOrder = (routes: Route[]) => routes.map((route) => JSON.stringify(route)).toSorted();
  for (const rendering of [production, local]) {
    const { rules } = theOne(rendering, 'HTTPRoute', 'task-management').spec;
    const routes = rules.flatMap(({ matches = [], backendRefs = [] }) =>
      matches.map(({ path: { type, value } }) => {
        return { path: value, isExact: type === 'Exact', service: backendRefs[0]?.name ?? '' };
      }),
    );
    t.deepEqual(inOrder(routes), inOrder(ownedRoutes));
  }
  const [rule] = theOne(alternatives, 'Ingress', 'task-management').spec?.rules ?? [];
  const routes = rule?.http?.paths.map(({ path: prefix = '', pathType, backend }) => {
    return { path: prefix, isExact: pathType === 'Exact', service: backend.service?.name ?? '' };
  });
  t.deepEqual(inOrder(routes ?? []), inOrder(ownedRoutes));
  t.deepEqual(ofKind(alternatives, 'HTTPRoute'), []);
});

testWithKubectl('http is redirected to https, for the host of BASE_URL', (t) => {
  const hostname = 'tasks.example.com';
  const listeners = [
    { name: 'http', protocol: 'HTTP', port: 80, hostname },
    { name: 'https', protocol: 'HTTPS', port: 443, hostname, tls: { mode: 'Terminate' } },
  ];
  t.like(theOne(production, 'Gateway', 'task-management').spec, { listeners });
  t.like(theOne(production, 'HTTPRoute', 'https-redirect').spec, {
    hostnames: [hostname],
    parentRefs: [{ name: 'task-management', sectionName: 'http' }],
    rules: [
      { filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }] },
    ],
  });
  t.like(theOne(production, 'HTTPRoute', 'task-management').spec, {
    hostnames: [hostname],
    parentRefs: [{ name: 'task-management', sectionName: 'https' }],
  });
  const { spec, metadata } = theOne(alternatives, 'Ingress', 'task-management');
  t.like(spec, { tls: [{ hosts: [hostname] }], rules: [{ host: hostname }] });
  t.like(metadata, { annotations: { 'nginx.ingress.kubernetes.io/force-ssl-redirect': 'true' } });
  for (const { rendering, workload } of everyService) {
    const { BASE_URL = '', TRUSTED_PROXY_HOPS } = environmentOf(rendering, workload);
    if (rendering !== local) t.is(BASE_URL, `https://${hostname}`);
    t.is(TRUSTED_PROXY_HOPS, '0');
  }
});

testWithKubectl(
  'the gateway passes paths and bodies as they are, repeats nothing, and gives up last',
  (t) => {
    const server = createApiServer(() => undefined);
    const seconds = (text: unknown) => Number(/^(\d+)s$/.exec(String(text))?.[1]) * 1_000;
    for (const rendering of [production, local]) {
      t.like(theOne(rendering, 'ClientTrafficPolicy', 'task-management').spec, {
        targetRefs: [{ kind: 'Gateway', name: 'task-management' }],
        path: { escapedSlashesAction: 'KeepUnchanged', disableMergeSlashes: true },
      });
      const { spec } = theOne(rendering, 'BackendTrafficPolicy', 'task-management');
      t.like(spec, {
        targetRefs: [{ kind: 'HTTPRoute', name: 'task-management' }],
        retry: { retryOn: { triggers: ['connect-failure'] } },
      });
      const { timeout } = spec as { timeout: { http: Record<string, string> } };
      t.true(seconds(timeout.http.connectionIdleTimeout) < server.keepAliveTimeout);
      t.true(seconds(timeout.http.requestTimeout) > server.requestTimeout);
    }
    t.true(3 * 1_024 ** 2 > bodyLimitBytes);
    const annotations = { 'nginx.ingress.kubernetes.io/proxy-body-size': '3m' };
    t.like(theOne(alternatives, 'Ingress', 'task-management').metadata, { annotations });
  },
);

testWithKubectl('each service has two replicas at least, which spread and are replaced one by one', (t) => {
  for (const { rendering, name, workload } of everyService) {
    const { spec } = theOne(rendering, 'Deployment', name);
    t.like(spec, { strategy: { rollingUpdate: { maxSurge: 1, maxUnavailable: 0 } }, minReadySeconds: 10 });
    t.deepEqual(spec?.selector.matchLabels, { 'app.kubernetes.io/name': name }, 'it can never be changed');
    t.deepEqual(
      workload.pod.topologySpreadConstraints?.map(({ topologyKey }) => topologyKey),
      ['topology.kubernetes.io/zone', 'kubernetes.io/hostname'],
    );
    t.like(theOne(rendering, 'PodDisruptionBudget', name).spec, {
      maxUnavailable: 1,
      unhealthyPodEvictionPolicy: 'AlwaysAllow',
      selector: { matchLabels: { 'app.kubernetes.io/name': name } },
    });
    t.is(spec?.replicas, rendering === local ? 1 : undefined);
    if (rendering === local) continue;
    const scaler = theOne(rendering, 'HorizontalPodAutoscaler', name).spec;
    t.like(scaler?.scaleTargetRef, { kind: 'Deployment', name });
    t.true((scaler?.minReplicas ?? 1) >= 2);
    t.like(scaler?.metrics?.[0], { resource: { name: 'cpu', target: { averageUtilization: 65 } } });
    t.is(scaler?.behavior?.scaleDown?.stabilizationWindowSeconds, 300);
  }
});

/** All replicas, those that an update adds, and old ones that drain while it goes on to the next. */
function connectionsAtMost(rendering: Rendering): number {
  const migrationsAndAdministrators = 20;
  return serviceNames.reduce((sum, name) => {
    const workload = workloadOf(rendering, name);
    const { spec } = theOne(rendering, 'Deployment', name);
    const [scaler] = ofKind(rendering, 'HorizontalPodAutoscaler').filter(
      ({ metadata }) => metadata.name === name,
    );
    const replicas = scaler?.spec?.maxReplicas ?? spec?.replicas ?? 1;
    const draining = Math.ceil(
      (workload.pod.terminationGracePeriodSeconds ?? 30) / (spec?.minReadySeconds ?? 1),
    );
    return sum + (replicas + 1 + draining) * Number(environmentOf(rendering, workload).DATABASE_POOL_SIZE);
  }, migrationsAndAdministrators);
}

testWithKubectl('PostgreSQL has a connection for every replica that there can be', (t) => {
  const { postgresql } = theOne(production, 'Cluster', 'postgresql').spec as {
    postgresql: { parameters: { max_connections: string } };
  };
  t.true(connectionsAtMost(production) <= Number(postgresql.parameters.max_connections));
  const [, limit] =
    /max_connections=(\d+)/.exec(workloadOf(local, 'postgresql').container.args?.join() ?? '') ?? [];
  t.true(connectionsAtMost(local) <= Number(limit));
});
