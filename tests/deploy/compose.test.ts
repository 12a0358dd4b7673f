import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import test from 'ava';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { programs } from '../../deploy/container/program.ts';
import { secretVariables } from '../../deploy/container/secret-files.ts';
import { variablesRead } from '../architecture/environment-table.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { type ComposeService, interpolate, readComposeFile } from './compose/compose-file.ts';
import { makeSecrets } from './compose/make-secrets.ts';
import { configurationFile } from './gateway/run-gateway.ts';
import { commandOf, imageEnvironment } from './image/dockerfile.ts';

const compose = readComposeFile();
const services = Object.entries(compose.services);
const running = services.filter(([, { restart }]) => restart === 'unless-stopped');
const gatewayText = readFileSync(configurationFile, 'utf8');
const readers = { 'auth-server': readAuthServerConfig, 'resource-api': readResourceApiConfig };

function service(name: string): ComposeService {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`there is no service ${name}`);
  return found;
}

const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1]);
const megabytes = (text = '') => {
  const [, amount, unit] = /^(\d+)([mg])$/.exec(text) ?? [];
  return Number(amount) * (unit === 'g' ? 1024 : 1);
};

test('it runs both services, the gateway, the stores, the migration, and the operator’s command on request', (t) => {
  t.deepEqual(running.map(([name]) => name).toSorted(), [
    'auth-server',
    'gateway',
    'postgres',
    'redis',
    'resource-api',
  ]);
  const once = services.filter(([, { restart }]) => restart === 'no').map(([name]) => name);
  t.deepEqual(once.toSorted(), ['admin', 'migrate']);
  t.is(services.length, running.length + once.length);
  const optional = services.filter(([, { profiles }]) => profiles !== undefined).map(([name]) => name);
  t.deepEqual(optional, ['admin']);
});

test('images of others are pinned by tag and digest, and the own one by the release', (t) => {
  const { version } = JSON.parse(readFileSync(path.join(projectFolder, 'package.json'), 'utf8'));
  for (const [name, { image, build }] of services) {
    if (build === undefined)
      t.regex(image, /^docker\.io\/[\w./-]+:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/, name);
    else t.is(image, `task-management-service:${version}`, name);
  }
  t.is(service('migrate').build?.dockerfile, 'deploy/Dockerfile');
});

for (const [name, definition] of services) {
  test(`${name} has no capability, no way to more rights, a file system that is read only, and a user that is not root`, (t) => {
    t.deepEqual(definition.cap_drop, ['ALL']);
    t.is(definition.cap_add, undefined);
    t.is(definition.privileged, undefined);
    t.deepEqual(definition.security_opt, ['no-new-privileges:true']);
    t.true(definition.read_only);
    t.true(definition.tmpfs.some((mount) => mount.startsWith('/tmp:')));
    t.regex(definition.user ?? '', /^[1-9]\d*:[1-9]\d*$/);
  });

  test(`${name} is limited in memory, processors, processes and logs`, (t) => {
    const { cpus, memory, pids } = definition.deploy?.resources.limits ?? {};
    t.true(Number(cpus) > 0);
    t.true(megabytes(memory) > 0);
    t.true(Number(pids) > 0);
    t.truthy(definition.logging?.options['max-size']);
    t.truthy(definition.logging?.options['max-file']);
  });

  test(`${name} is given the secrets that it reads, each as a file, and no other`, (t) => {
    const files = Object.entries(definition.environment ?? {}).filter(([variable]) =>
      variable.endsWith('_FILE'),
    );
    const known: readonly string[] = [...secretVariables, 'POSTGRES_PASSWORD'];
    for (const [variable, file] of files) {
      t.true(known.includes(variable.slice(0, -'_FILE'.length)), variable);
      t.is(path.posix.dirname(file), '/run/secrets');
    }
    const arguments_ = (definition.command ?? []).filter((word) => word.startsWith('/run/secrets/'));
    const script =
      name === 'postgres'
        ? readFileSync(path.join(projectFolder, 'deploy/compose/create-logins.sql'), 'utf8')
        : '';
    const read = [
      ...files.map(([, file]) => file),
      ...arguments_,
      ...(script.match(/\/run\/secrets\/[\w-]+/g) ?? []),
    ];
    const names = [...new Set(read.map((file) => path.posix.basename(file)))];
    t.deepEqual(names.toSorted(), (definition.secrets ?? []).toSorted());
    for (const secret of names) t.truthy(compose.secrets[secret], secret);
    const open = secretVariables.filter((variable) => definition.environment?.[variable] !== undefined);
    t.deepEqual(open, []);
  });
}

for (const [name, definition] of running) {
  test(`${name} is asked for its health`, (t) => {
    const { test: command = [], interval, start_period: startPeriod } = definition.healthcheck ?? {};
    t.true(command.length > 1);
    t.true(seconds(interval) > 0);
    t.true(seconds(startPeriod) > 0);
  });
}

for (const [name, readConfig] of Object.entries(readers)) {
  test(`${name} accepts the environment that it is given, and reads every variable of it`, (t) => {
    const definition = service(name);
    const secrets = makeSecrets();
    t.teardown(secrets.remove);
    const environment: Record<string, string> = imageEnvironment();
    for (const [variable, value] of Object.entries(definition.environment ?? {})) {
      const secret = path.join(secrets.folder, path.basename(value));
      if (variable.endsWith('_FILE'))
        environment[variable.slice(0, -'_FILE'.length)] = readFileSync(secret, 'utf8');
      else environment[variable] = interpolate(value, {});
    }
    const config = readConfig(environment);
    t.is(config.baseUrl, 'http://localhost:8080');
    // The last ones are Node's and malloc's.
    const known = [...variablesRead([readConfig]), 'NODE_ENV', 'NODE_OPTIONS', 'MALLOC_TRIM_THRESHOLD_'];
    t.deepEqual(
      Object.keys(environment).filter((variable) => !known.includes(variable)),
      [],
    );
  });

  test(`${name} has time to drain, and the gateway notices in time`, (t) => {
    const { environment = {}, stop_grace_period: grace } = service(name);
    const delay = Number(environment.SHUTDOWN_DELAY_MILLISECONDS);
    const drain = Number(environment.SHUTDOWN_GRACE_MILLISECONDS ?? 10_000);
    t.true(seconds(grace) * 1_000 > delay + drain + 6_000);
    const [, inter, fall] = /inter (\d+)s fall (\d+)/.exec(gatewayText) ?? [];
    t.true(delay >= Number(inter) * Number(fall) * 1_000);
  });

  test(`${name} starts when the database is migrated, and is asked as its image says`, (t) => {
    const definition = service(name);
    t.is(definition.depends_on?.migrate?.condition, 'service_completed_successfully');
    t.deepEqual(definition.healthcheck?.test, ['CMD', ...commandOf('HEALTHCHECK')]);
  });
}

test('the migration waits until PostgreSQL is healthy', (t) => {
  t.is(service('migrate').depends_on?.postgres?.condition, 'service_healthy');
  t.is(service('admin').depends_on?.migrate?.condition, 'service_completed_successfully');
});

test('every command names a program of the image', (t) => {
  const names = programs.map(({ name }) => name);
  const own = services.filter(([, { build }]) => build !== undefined);
  t.is(own.length, 4);
  for (const [, { command, entrypoint }] of own)
    t.true(names.includes((entrypoint ? entrypoint.at(-1) : command?.[0]) ?? ''));
});

test('only the gateway has a port of this machine, of its loopback address unless told otherwise', (t) => {
  const published = services.filter(([, { ports }]) => ports !== undefined);
  t.deepEqual(
    published.map(([name]) => name),
    ['gateway'],
  );
  t.deepEqual(
    published[0]?.[1].ports?.map((port) => interpolate(port, {})),
    ['127.0.0.1:8080:8080'],
  );
  t.true(gatewayText.includes('presetenv GATEWAY_BIND :8080'));
});

test('the stores are reached by the programs alone, and the API reaches nothing outside', (t) => {
  const isInternal = (network: string) => compose.networks[network]?.internal === true;
  for (const name of ['postgres', 'redis', 'migrate', 'admin'])
    t.deepEqual(service(name).networks, ['stores'], name);
  t.true(service('resource-api').networks.every(isInternal));
  t.true(isInternal('stores'));
  t.false(service('gateway').networks.includes('stores'));
  const outward = services.filter(([, { networks }]) => !networks.every(isInternal)).map(([name]) => name);
  t.deepEqual(outward.toSorted(), ['auth-server', 'gateway']);
  t.deepEqual(
    service('auth-server').networks.filter((network) => service('gateway').networks.includes(network)),
    ['services'],
  );
});

test('the gateway reads the configuration of the project, and finds the services by their names', (t) => {
  t.deepEqual(service('gateway').volumes, ['./deploy/gateway:/usr/local/etc/haproxy:ro']);
  for (const name of ['auth-server', 'resource-api']) {
    t.true(gatewayText.includes(`presetenv ${name.toUpperCase().replace('-', '_')}_HOST ${name}\n`));
    t.true(service(name).networks.includes('services'));
  }
});

test('the gateway’s memory is enough for the connections it takes', (t) => {
  const [, connections] = /maxconn (\d+)/.exec(gatewayText) ?? [];
  const [, bufferBytes] = /tune\.bufsize (\d+)/.exec(gatewayText) ?? [];
  const buffers = (2 * Number(connections) * Number(bufferBytes)) / 1024 / 1024;
  t.true(buffers < megabytes(service('gateway').deploy?.resources.limits.memory));
});

test('PostgreSQL accepts the connections of as many replicas as the gateway knows', (t) => {
  const replicas = [...gatewayText.matchAll(/server-template \S+ (\d+) /g)].map(([, count]) => Number(count));
  const poolSize = 10;
  const limit = service('postgres')
    .command?.find((word) => word.startsWith('max_connections='))
    ?.split('=')[1];
  const wanted = replicas.reduce((sum, count) => sum + count * poolSize, 0);
  // The migration, the operator, and three that PostgreSQL keeps for its superuser.
  t.true(wanted + 10 <= Number(limit), `${wanted} of ${limit}`);
});

test('the script makes every secret once, for the containers to read and for nobody else of the machine', (t) => {
  const secrets = makeSecrets();
  t.teardown(secrets.remove);
  const declared = Object.values(compose.secrets).map(({ file }) => {
    t.is(path.posix.dirname(file), 'deploy/compose/secrets');
    return path.posix.basename(file);
  });
  t.deepEqual(readdirSync(secrets.folder).toSorted(), declared.toSorted());
  t.is(statSync(secrets.folder).mode & 0o777, 0o700);
  const read = () => declared.map((name) => readFileSync(path.join(secrets.folder, name), 'utf8'));
  for (const name of declared) t.is(statSync(path.join(secrets.folder, name)).mode & 0o777, 0o444);
  t.is(new Set(read().flatMap((text) => text.match(/[0-9a-f]{64}/g) ?? [])).size, declared.length - 1);
  const before = read();
  t.is(secrets.makeAgain(), '');
  t.deepEqual(read(), before);
});

test('neither git nor the image’s build takes the secrets in', (t) => {
  t.regex(readFileSync(path.join(projectFolder, 'deploy/compose/.gitignore'), 'utf8'), /^\/secrets\/$/m);
  t.notRegex(readFileSync(path.join(projectFolder, '.dockerignore'), 'utf8'), /^!deploy(\/compose.*)?$/m);
});

test('the database and its initialisation stay where the image of PostgreSQL 18 looks for them', (t) => {
  const { volumes = [], image } = service('postgres');
  t.regex(image, /postgres:18\./);
  t.true(volumes.includes('postgres-data:/var/lib/postgresql'));
  const [script = ''] = volumes.filter((volume) => volume.includes('/docker-entrypoint-initdb.d/'));
  t.true(script.endsWith(':ro'));
  t.true(existsSync(path.join(projectFolder, script.split(':')[0] ?? '')));
});
