import { BlockList } from 'node:net';
import test from 'ava';
import { alternatives, everyRendering, local, production } from './kubernetes/kustomize.ts';
import { nameOf, ofKind } from './kubernetes/manifest.ts';
import { chooses, egressOf, ingressOf, policiesFor } from './kubernetes/traffic.ts';
import { workloadsOf } from './kubernetes/workload.ts';

const pods = (name: string) => ({ 'app.kubernetes.io/name': name });
const domainNames = ['kube-system:kube-dns 53/TCP', 'kube-system:kube-dns 53/UDP'];

test('whatever no policy allows is denied, in both directions and to every pod', (t) => {
  for (const rendering of everyRendering) {
    const denial = ofKind(rendering, 'NetworkPolicy').find(
      ({ metadata }) => metadata.name === 'default-deny',
    );
    t.deepEqual(denial?.spec, { podSelector: {}, policyTypes: ['Ingress', 'Egress'] }, rendering.name);
  }
});

test('a policy is for pods that exist', (t) => {
  for (const rendering of everyRendering) {
    const labels = [
      ...workloadsOf(rendering).map((workload) => workload.labels),
      { 'cnpg.io/cluster': 'postgresql' },
    ];
    for (const policy of ofKind(rendering, 'NetworkPolicy')) {
      const selector = policy.spec?.podSelector ?? {};
      t.true(
        labels.some((pod) => chooses(selector, pod)),
        nameOf(rendering, policy),
      );
    }
  }
});

test('a policy denies in each direction that it has rules for', (t) => {
  for (const rendering of everyRendering) {
    for (const { metadata, spec } of ofKind(rendering, 'NetworkPolicy')) {
      if (spec?.ingress !== undefined) t.true(spec.policyTypes?.includes('Ingress'), metadata.name);
      if (spec?.egress !== undefined) t.true(spec.policyTypes?.includes('Egress'), metadata.name);
    }
  }
});

test('a service is reached through the gateway, and by Prometheus on its management port', (t) => {
  for (const name of ['auth-server', 'resource-api']) {
    t.deepEqual(ingressOf(production, pods(name)), [
      'envoy-gateway-system:* http/TCP',
      'monitoring:* management/TCP',
    ]);
    t.deepEqual(ingressOf(local, pods(name)), ['envoy-gateway-system:* http/TCP']);
    t.deepEqual(ingressOf(alternatives, pods(name)), ['ingress-controller:* http/TCP']);
  }
});

test('resource-api reaches its stores and nothing else: neither auth-server nor the internet', (t) => {
  const stores = ['postgresql 5432/TCP', 'valkey 6379/TCP'];
  t.deepEqual(egressOf(production, pods('resource-api')), [...domainNames, ...stores]);
  t.deepEqual(egressOf(local, pods('resource-api')), [...domainNames, ...stores]);
  t.deepEqual(egressOf(alternatives, pods('resource-api')), [
    '10.0.0.0/8 5432/TCP',
    '10.0.0.0/8 6379/TCP',
    ...domainNames,
    'observability:* 4318/TCP',
  ]);
});

test('auth-server reaches what resource-api does, and https on the internet', (t) => {
  for (const rendering of everyRendering) {
    const own = egressOf(rendering, pods('auth-server'));
    const shared = egressOf(rendering, pods('resource-api'));
    t.deepEqual(
      own.filter((connection) => !shared.includes(connection)),
      ['0.0.0.0/0 443/TCP', '2000::/3 443/TCP'],
    );
  }
});

const notPublic = [
  '0.0.0.1',
  '10.1.2.3',
  '100.64.0.1',
  '127.0.0.1',
  '169.254.169.254',
  '172.16.0.1',
  '172.31.255.254',
  '192.168.1.1',
  '224.0.0.1',
  '255.255.255.255',
];

test('the way to the internet leads to no address that is not public', (t) => {
  for (const rendering of everyRendering) {
    const blocks = policiesFor(rendering, pods('auth-server'))
      .flatMap(({ egress = [] }) => egress)
      .flatMap(({ to = [] }) => to)
      .flatMap(({ ipBlock }) => (ipBlock?.cidr === '0.0.0.0/0' ? [ipBlock] : []));
    t.is(blocks.length, 1);
    const excepted = new BlockList();
    for (const range of blocks[0]?.except ?? []) {
      const [address = '', bits] = range.split('/');
      excepted.addSubnet(address, Number(bits));
    }
    t.deepEqual(
      notPublic.filter((address) => !excepted.check(address)),
      [],
    );
    t.false(excepted.check('93.184.216.34'));
  }
});

test('the migration reaches PostgreSQL and nothing else, and nothing reaches it', (t) => {
  for (const rendering of [production, local]) {
    t.deepEqual(egressOf(rendering, pods('migration')), [...domainNames, 'postgresql 5432/TCP']);
    t.deepEqual(ingressOf(rendering, pods('migration')), []);
  }
});

test('PostgreSQL is reached by those that use it alone, Valkey by the services', (t) => {
  const users = ['auth-server', 'migration', 'resource-api'].map((name) => `${name} 5432/TCP`);
  t.deepEqual(ingressOf(local, pods('postgresql')), users);
  t.deepEqual(
    ingressOf(production, { 'cnpg.io/cluster': 'postgresql' }),
    [
      ...users,
      'cnpg-system:cloudnative-pg 5432/TCP',
      'cnpg-system:cloudnative-pg 8000/TCP',
      'postgresql 5432/TCP',
    ].toSorted(),
  );
  for (const rendering of [production, local]) {
    t.deepEqual(ingressOf(rendering, pods('valkey')), ['auth-server 6379/TCP', 'resource-api 6379/TCP']);
    t.deepEqual(egressOf(rendering, pods('valkey')), []);
  }
});

test('no Service is open to the world by itself', (t) => {
  for (const rendering of everyRendering) {
    for (const service of ofKind(rendering, 'Service')) {
      t.true(['ClusterIP', undefined].includes(service.spec?.type), nameOf(rendering, service));
      t.is(service.spec?.externalIPs, undefined);
    }
  }
});

test('the management port is in no Service that requests are routed to', (t) => {
  for (const rendering of everyRendering) {
    const services = ofKind(rendering, 'Service').filter(({ metadata }) =>
      ['auth-server', 'resource-api'].includes(metadata.name),
    );
    t.deepEqual(
      services.map(({ spec }) =>
        spec?.ports?.map(({ name, port, targetPort }) => ({ name, port, targetPort })),
      ),
      [[{ name: 'http', port: 80, targetPort: 'http' }], [{ name: 'http', port: 80, targetPort: 'http' }]],
    );
  }
});
