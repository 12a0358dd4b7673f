import test from 'ava';
import { authServerRole, resourceApiRole } from '#auth-server/database/roles.ts';
import { readComposeFile } from './compose/compose-file.ts';
import { secretsOf } from './kubernetes/environment.ts';
import { alternatives, local, production } from './kubernetes/kustomize.ts';
import { ofKind, type Rendering, theOne } from './kubernetes/manifest.ts';
import { servicesOf, workloadsOf } from './kubernetes/workload.ts';

const { spec: cluster } = theOne(production, 'Cluster', 'postgresql');
const roleOf = (name: string) => cluster.managed.roles.find((role) => role.name === name);

test('a commit is on two instances before it is answered, and no instance without it takes over', (t) => {
  t.is(cluster.instances, 3);
  t.deepEqual(cluster.postgresql.synchronous, {
    method: 'any',
    number: 1,
    dataDurability: 'required',
    failoverQuorum: true,
  });
});

test('no two instances of PostgreSQL are on one node', (t) => {
  t.is(cluster.affinity.podAntiAffinityType, 'required');
});

test('every change is archived, and a base is taken each night, in the same store', (t) => {
  const [archive, ...others] = cluster.plugins.filter(({ isWALArchiver }) => isWALArchiver);
  t.deepEqual(others, []);
  const [store] = ofKind(production, 'ObjectStore');
  t.is(archive?.parameters.barmanObjectName, store?.metadata.name);
  t.regex(store?.spec.retentionPolicy ?? '', /^\d+d$/);
  const [backup] = ofKind(production, 'ScheduledBackup');
  t.is(backup?.spec.cluster.name, 'postgresql');
  t.is(backup?.spec.method, 'plugin');
  t.is(backup?.spec.pluginConfiguration.name, archive?.name);
  t.regex(backup?.spec.schedule ?? '', /^\d+ \d+ \d+ \* \* \*$/);
});

test('a service logs in as a member of its own role and of no other', (t) => {
  t.deepEqual(roleOf('auth_server_login')?.inRoles, [authServerRole]);
  t.deepEqual(roleOf('resource_api_login')?.inRoles, [resourceApiRole]);
  for (const role of [authServerRole, resourceApiRole]) t.is(roleOf(role)?.login, false);
});

test('the migration owns the database and may take on the services’ roles', (t) => {
  const { initdb } = cluster.bootstrap;
  t.deepEqual(roleOf(initdb.owner)?.inRoles, [authServerRole, resourceApiRole]);
  t.is(roleOf(initdb.owner)?.passwordSecret?.name, initdb.secret.name);
});

test('a login has the password of the Secret that its pods are given', (t) => {
  const given = workloadsOf(production)
    .flatMap(secretsOf)
    .filter((secret) => secret.endsWith('/DATABASE_URL'));
  const passwords = cluster.managed.roles.flatMap(({ passwordSecret }) =>
    passwordSecret ? [passwordSecret.name] : [],
  );
  t.deepEqual(given.map((secret) => secret.split('/')[0]).toSorted(), passwords.toSorted());
});

test('the addresses that External Secrets make are those of the cluster’s logins and database', (t) => {
  for (const { name, passwordSecret } of cluster.managed.roles) {
    if (passwordSecret === undefined) continue;
    const { target } = theOne(alternatives, 'ExternalSecret', passwordSecret.name).spec;
    t.is(target.template?.data.username, name);
    const url = new URL(target.template?.data.DATABASE_URL?.replace('{{ .password }}', 'password') ?? '');
    t.is(url.username, name);
    t.is(url.hostname, 'postgresql-rw');
    t.is(url.pathname, `/${cluster.bootstrap.initdb.database}`);
  }
});

test('Valkey keeps nothing on a disk, asks for a password and is one server', (t) => {
  for (const rendering of [production, local]) {
    const { spec } = theOne(rendering, 'Deployment', 'valkey');
    const words = spec?.template.spec?.containers[0]?.args?.join(' ') ?? '';
    t.true(words.includes('--save  '), words);
    t.true(words.includes('--requirepass $(REDIS_PASSWORD)'));
    t.is(spec?.replicas, 1);
    t.deepEqual(spec?.strategy, { type: 'Recreate' });
  }
});

test('PostgreSQL and Valkey are the very images of Compose, but for the one of CloudNativePG', (t) => {
  const { postgres, redis } = readComposeFile().services;
  const images = (rendering: Rendering) =>
    workloadsOf(rendering)
      .filter(({ name }) => name === 'postgresql' || name === 'valkey')
      .map(({ name, container }) => [name, container.image]);
  t.deepEqual(images(production), [['valkey', redis?.image]]);
  t.deepEqual(Object.fromEntries(images(local)), { valkey: redis?.image, postgresql: postgres?.image });
});

test('the services of an overlay find Valkey where External Secrets say it is', (t) => {
  const { template } = theOne(alternatives, 'ExternalSecret', 'redis').spec.target;
  const url = new URL(template?.data.REDIS_URL?.replace('{{ .password }}', 'password') ?? '');
  const { metadata, spec } = theOne(production, 'Service', 'valkey');
  t.is(url.hostname, metadata.name);
  t.is(Number(url.port), spec?.ports?.[0]?.port ?? 0);
  t.true(servicesOf(production).every((service) => secretsOf(service).includes('redis/REDIS_URL')));
});
