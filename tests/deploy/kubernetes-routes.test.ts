import test from 'ava';
import { bodyLimitBytes } from '#shared/http/json-body.ts';
import { OWNED_PATHS, ownerOfPath, ROOT_OWNER } from '#shared/http/path-ownership.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { startStack } from '#tests/support/stack.ts';
import { environmentOf } from './kubernetes/environment.ts';
import { alternatives, everyRendering, local, production } from './kubernetes/kustomize.ts';
import { nameOf, ofKind, type Rendering, theOne } from './kubernetes/manifest.ts';
import { gatewayPaths, ingressPaths, type RoutedPath, routedTo } from './kubernetes/route-table.ts';
import { servicesOf } from './kubernetes/workload.ts';

/** Nobody owns what it answers then: 404. */
const serviceOfTheRest = 'resource-api';
const ownPaths: RoutedPath[] = [
  { path: '/', isExact: true, service: ROOT_OWNER },
  ...OWNED_PATHS.map(({ path, owner }) => ({ path, isExact: false, service: owner })),
  { path: '/', isExact: false, service: serviceOfTheRest },
];
const byPath = (left: RoutedPath, right: RoutedPath) =>
  left.path.localeCompare(right.path) || Number(left.isExact) - Number(right.isExact);

test('HTTPRoutes have the paths of the path table, each at its owner', (t) => {
  for (const rendering of [production, local]) {
    t.deepEqual(gatewayPaths(rendering).toSorted(byPath), ownPaths.toSorted(byPath), rendering.name);
  }
});

test('the Ingress has the same paths and takes the place of the HTTPRoutes', (t) => {
  t.deepEqual(ingressPaths(alternatives).toSorted(byPath), ownPaths.toSorted(byPath));
  t.deepEqual(ofKind(alternatives, 'HTTPRoute'), []);
});

test('a request goes to the owner of its path, also below a path and just beside it', (t) => {
  const pathnames = ownPaths.flatMap(({ path }) => [path, `${path}/`, `${path}/below`, `${path}beside`]);
  for (const pathname of [...pathnames, '/', '/metrics', '/readyz', '/livez', '/elsewhere']) {
    const expected = ownerOfPath(pathname) ?? serviceOfTheRest;
    t.is(routedTo(gatewayPaths(production), pathname), expected, pathname);
    t.is(routedTo(ingressPaths(alternatives), pathname), expected, pathname);
  }
});

test('what nobody owns is a 404 in the shape of the API at the service it is sent to', async (t) => {
  const resourceApi = await startStack(t);
  for (const pathname of [
    '/elsewhere',
    '/.well-known/openid-configuration',
    '/metrics',
    '//mcp',
    '/oauth%2Ftoken',
  ]) {
    const answer = await fetch(resourceApi.baseUrl + pathname);
    t.is(answer.status, 404, pathname);
    const requestId = answer.headers.get('x-request-id');
    t.like(await answer.json(), { errorType: 'not_found', errorCode: 'not_found', requestId }, pathname);
  }
});

test('a route leads to a port that its Service has', (t) => {
  for (const rendering of everyRendering) {
    const backends = ofKind(rendering, 'HTTPRoute')
      .flatMap(({ spec }) => spec.rules)
      .flatMap(({ backendRefs = [] }) => backendRefs);
    for (const { name, port } of backends) t.true(portsOf(rendering, name).includes(port), rendering.name);
    const services = ofKind(rendering, 'Ingress')
      .flatMap(({ spec }) => spec?.rules ?? [])
      .flatMap(({ http }) => http?.paths ?? [])
      .map(({ backend }) => backend.service);
    for (const service of services) {
      t.true(portsOf(rendering, service?.name ?? '').includes(service?.port?.name ?? ''), rendering.name);
    }
  }
});

function portsOf(rendering: Rendering, service: string): (string | number | undefined)[] {
  return (theOne(rendering, 'Service', service).spec?.ports ?? []).flatMap(({ name, port }) => [name, port]);
}

test('http is sent to https and serves nothing', (t) => {
  const { listeners } = theOne(production, 'Gateway', 'task-management').spec;
  t.deepEqual(
    listeners.map(({ name, protocol, port }) => ({ name, protocol, port })),
    [
      { name: 'http', protocol: 'HTTP', port: 80 },
      { name: 'https', protocol: 'HTTPS', port: 443 },
    ],
  );
  const https = listeners.find(({ protocol }) => protocol === 'HTTPS');
  t.deepEqual(https?.tls, { mode: 'Terminate', certificateRefs: [{ name: 'task-management-tls' }] });
  const { spec: redirect } = theOne(production, 'HTTPRoute', 'https-redirect');
  t.deepEqual(redirect.parentRefs, [{ name: 'task-management', sectionName: 'http' }]);
  t.deepEqual(redirect.rules, [
    { filters: [{ type: 'RequestRedirect', requestRedirect: { scheme: 'https', statusCode: 301 } }] },
  ]);
  const { spec: served } = theOne(production, 'HTTPRoute', 'task-management');
  t.deepEqual(served.parentRefs, [{ name: 'task-management', sectionName: 'https' }]);
});

test('the Ingress has a certificate for its host and asks for https', (t) => {
  const { spec, metadata } = theOne(alternatives, 'Ingress', 'task-management');
  t.deepEqual(spec?.tls, [{ hosts: ['tasks.example.com'], secretName: 'task-management-tls' }]);
  t.deepEqual(
    spec?.rules?.map(({ host }) => host),
    ['tasks.example.com'],
  );
  const redirects = Object.entries(metadata.annotations ?? {}).filter(([name]) =>
    name.endsWith('ssl-redirect'),
  );
  t.true(redirects.length > 0 && redirects.every(([, value]) => value === 'true'));
});

test('requests are told apart by the host of BASE_URL', (t) => {
  for (const rendering of [production, alternatives]) {
    const hosts = [
      ...ofKind(rendering, 'HTTPRoute').flatMap(({ spec }) => spec.hostnames ?? []),
      ...ofKind(rendering, 'Gateway').flatMap(({ spec }) => spec.listeners.map(({ hostname }) => hostname)),
      ...ofKind(rendering, 'Ingress').flatMap(({ spec }) => (spec?.rules ?? []).map(({ host }) => host)),
    ];
    for (const service of servicesOf(rendering)) {
      const { protocol, host } = new URL(environmentOf(rendering, service).BASE_URL ?? '');
      t.is(protocol, 'https:');
      t.deepEqual([...new Set(hosts)], [host], service.place);
    }
  }
});

test('no proxy is trusted but the gateway, which is right in front', (t) => {
  for (const rendering of everyRendering) {
    for (const service of servicesOf(rendering)) {
      t.is(environmentOf(rendering, service).TRUSTED_PROXY_HOPS, '0', service.place);
    }
  }
});

test('each HTTPRoute hangs on a listener that the gateway has', (t) => {
  for (const rendering of [production, local]) {
    const [gateway] = ofKind(rendering, 'Gateway');
    const listeners = gateway?.spec.listeners.map(({ name }) => name) ?? [];
    for (const route of ofKind(rendering, 'HTTPRoute')) {
      for (const { name, sectionName = '' } of route.spec.parentRefs) {
        t.is(gateway?.metadata.name, name);
        t.true(listeners.includes(sectionName), nameOf(rendering, route));
      }
    }
  }
});

test('paths reach the services as they were sent', (t) => {
  for (const rendering of [production, local]) {
    const { targetRefs, path } = theOne(rendering, 'ClientTrafficPolicy', 'task-management').spec;
    const gateways = ofKind(rendering, 'Gateway').map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    t.deepEqual(
      targetRefs.map(({ kind, name }) => `${kind} ${name}`),
      gateways,
    );
    t.deepEqual(path, { escapedSlashesAction: 'KeepUnchanged', disableMergeSlashes: true });
  }
});

test('the Ingress lets pass whatever the services read', (t) => {
  const { annotations = {} } = theOne(alternatives, 'Ingress', 'task-management').metadata;
  const [, mebibytes] =
    /^(\d+)m$/.exec(annotations['nginx.ingress.kubernetes.io/proxy-body-size'] ?? '') ?? [];
  t.true(Number(mebibytes) * 1_024 ** 2 > bodyLimitBytes);
});

test('the gateway repeats no request that a service may have begun, and leaves idle connections first', (t) => {
  for (const rendering of [production, local]) {
    const { targetRefs, retry, timeout } = theOne(rendering, 'BackendTrafficPolicy', 'task-management').spec;
    const routes = ofKind(rendering, 'HTTPRoute').map(({ kind, metadata }) => `${kind} ${metadata.name}`);
    for (const { kind, name } of targetRefs) t.true(routes.includes(`${kind} ${name}`));
    t.deepEqual(retry.retryOn, { triggers: ['connect-failure'] });
    const server = createApiServer(() => undefined);
    const seconds = (text: string) => Number(/^(\d+)s$/.exec(text)?.[1]);
    t.true(seconds(timeout.http.connectionIdleTimeout) * 1_000 < server.keepAliveTimeout);
    t.true(seconds(timeout.http.requestTimeout) * 1_000 > server.requestTimeout);
  }
});
