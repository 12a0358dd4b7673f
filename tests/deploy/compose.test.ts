import { readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { parseEnv } from 'node:util';
import test from 'ava';
import { parse } from 'yaml';
import { readConfig as readAuthServerConfig } from '#auth-server/config/config.ts';
import { readConfig as readResourceApiConfig } from '#resource-api/config/config.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';
import { programs } from '../../deploy/container/program.ts';
import { secretVariables } from '../../deploy/container/secret-files.ts';
import { variablesRead } from '../architecture/environment-table.ts';
import { projectFolder } from '../architecture/source-files.ts';
import { findInstalledPrograms } from './backup/installed-postgres.ts';
import { startComposeDatabase } from './compose/compose-database.ts';
import { type ComposeService, makeSecrets, readComposeFile } from './compose/compose-file.ts';
import { gatewayFolder } from './gateway/run-gateway.ts';

const compose = readComposeFile();
const services = Object.entries(compose.services);
const gatewayText = readFileSync(path.join(gatewayFolder, 'haproxy.cfg'), 'utf8');
const readers = { 'auth-server': readAuthServerConfig, 'resource-api': readResourceApiConfig };
const builtImage = /^task-management-service:\d+\.\d+\.\d+$/;
const seconds = (text = '') => Number(/^(\d+)s$/.exec(text)?.[1]);

function service(name: string): ComposeService {
  const found = compose.services[name];
  if (found === undefined) throw new Error(`there is no service ${name}`);
  return found;
}

const promises: Record<string, (definition: ComposeService) => boolean> = {
  'has no capability': ({ cap_drop, cap_add, privileged }) =>
    cap_drop?.join() === 'ALL' && !cap_add && !privileged,
  'cannot gain rights': ({ security_opt }) => security_opt?.join() === 'no-new-privileges:true',
  'has a read-only root file system and a /tmp': ({ read_only, tmpfs }) =>
    read_only === true && tmpfs.some((mount) => mount.startsWith('/tmp:')),
  'does not run as root': ({ user = '' }) => /^[1-9]\d*:[1-9]\d*$/.test(user),
  'is limited in memory, processors, processes and logs': ({ deploy, logging }) => {
    const { cpus, memory, pids } = deploy?.resources.limits ?? {};
    return Boolean(cpus && memory && pids && logging?.options['max-size'] && logging.options['max-file']);
  },
  'has a health check if it keeps running': ({ restart, healthcheck }) =>
    restart === 'no' ? healthcheck?.disable === true : (healthcheck?.test?.length ?? 0) > 1,
  'has an image that stays what it is': ({ image }) =>
    builtImage.test(image) || /^docker\.io\/.*:[\w.-]*\d[\w.-]*@sha256:[0-9a-f]{64}$/.test(image),
};

for (const [promise, isKept] of Object.entries(promises)) {
  test(`every container ${promise}`, (t) => {
    const broken = services.filter(([, definition]) => !isKept(definition)).map(([name]) => name);
    t.deepEqual(broken, []);
  });
}

test('one service builds the image that several run', (t) => {
  const built = services.filter(([, { build }]) => build !== undefined).map(([name]) => name);
  t.deepEqual(built, ['migrate']);
});

test('each container gets the secrets that it needs, as files, and no other', (t) => {
  t.deepEqual(Object.fromEntries(services.map(([name, { secrets = [] }]) => [name, secrets])), {
    gateway: [],
    'auth-server': ['auth-server-database-url', 'redis-url', 'key-encryption-secret'],
    'resource-api': ['resource-api-database-url', 'redis-url'],
    migrate: ['migrator-database-url'],
    admin: ['migrator-database-url', 'redis-url', 'key-encryption-secret'],
    postgres: [
      'postgres-password',
      'migrator-database-url',
      'auth-server-database-url',
      'resource-api-database-url',
    ],
    redis: ['redis-users'],
  });
  for (const [name, { environment = {}, image, secrets }] of services) {
    const files = Object.entries(environment).filter(([variable]) => variable.endsWith('_FILE'));
    if (builtImage.test(image))
      t.deepEqual(
        files.map(([, file]) => path.posix.basename(file)),
        secrets ?? [],
        name,
      );
    t.false(
      secretVariables.some((variable) => variable in environment),
      name,
    );
  }
});

test('how mail is sent is known to auth-server alone, and not needed', (t) => {
  const readers = services.flatMap(([name, { env_file: files = [] }]) =>
    files.filter((file) => file.path.endsWith('/mail.env')).map(({ required }) => ({ name, required })),
  );
  t.deepEqual(readers, [{ name: 'auth-server', required: false }]);
});

test('the operator’s command has the address and the settings of the services', (t) => {
  const { environment, env_file: files } = service('admin');
  t.is(environment?.BASE_URL, service('auth-server').environment?.BASE_URL);
  t.deepEqual(files, service('resource-api').env_file);
});

test('the samples of settings are accepted, and mail is set up by its own', (t) => {
  const read = (file: string) =>
    parseEnv(
      readFileSync(path.join(projectFolder, 'deploy/compose', file), 'utf8').replaceAll(/^#(?=[A-Z])/gm, ''),
    );
  const own = {
    BASE_URL: 'https://tasks.example.com',
    DATABASE_URL: 'postgres://database/tasks',
    REDIS_URL: 'redis://redis',
    PORT: '8080',
    MANAGEMENT_PORT: '9090',
  };
  const settings = read('settings.env.example');
  t.deepEqual(
    Object.keys(settings).filter((name) => !variablesRead(Object.values(readers)).includes(name)),
    [],
  );
  readResourceApiConfig({ ...own, ...settings });
  const secret = { KEY_ENCRYPTION_SECRET: 'x'.repeat(43) };
  const { mail } = readAuthServerConfig({ ...own, ...secret, ...settings, ...read('mail.env.example') });
  t.is(mail?.kind, 'smtp');
});

test('tls.yaml gives the gateway a certificate and the port of https', (t) => {
  const { services: added, secrets }: Pick<typeof compose, 'services' | 'secrets'> = parse(
    readFileSync(path.join(projectFolder, 'deploy/compose/tls.yaml'), 'utf8'),
  );
  t.deepEqual(Object.keys(added), ['gateway']);
  const { ports, environment, secrets: given = [] } = added.gateway ?? {};
  const [, port] = /^ {2}presetenv GATEWAY_TLS_BIND :(\d+)$/m.exec(gatewayText) ?? [];
  t.true(ports?.join().endsWith(`:443:${port}`));
  t.deepEqual(environment, { GATEWAY_CERTIFICATE: `/run/secrets/${given.join()}` });
  t.deepEqual(Object.keys(secrets), given);
});

for (const [name, readConfig] of Object.entries(readers)) {
  test(`${name} accepts its environment and reads every variable of it`, (t) => {
    const secrets = makeSecrets();
    t.teardown(secrets.remove);
    const environment = Object.fromEntries(
      Object.entries(service(name).environment ?? {}).map(([variable, value]) => {
        const file = path.join(secrets.folder, path.basename(value));
        if (variable.endsWith('_FILE'))
          return [variable.slice(0, -'_FILE'.length), readFileSync(file, 'utf8')];
        return [variable, value.replace(/\$\{BASE_URL:-(.*)\}$/, '$1').replace(/\$\{PORT:-(\d+)\}/, '$1')];
      }),
    );
    t.is(
      readConfig({ ...environment, PORT: '8080', MANAGEMENT_PORT: '9090' }).baseUrl,
      'http://localhost:8080',
    );
    const known = variablesRead([readConfig]);
    t.deepEqual(
      Object.keys(environment).filter((variable) => !known.includes(variable)),
      [],
    );
  });

  test(`${name} has time to drain after the gateway has noticed, and starts after the migration`, (t) => {
    const { environment = {}, stop_grace_period: grace, depends_on: needs, command } = service(name);
    const delay = Number(environment.SHUTDOWN_DELAY_MILLISECONDS);
    t.true(seconds(grace) * 1_000 > delay + 10_000 + 6_000);
    const [, inter, fall] = /inter (\d+)s fall (\d+)/.exec(gatewayText) ?? [];
    t.true(delay >= Number(inter) * Number(fall) * 1_000);
    t.is(needs?.migrate?.condition, 'service_completed_successfully');
    t.true(programs.some((program) => program.name === command?.[0]));
  });
}

test('only the gateway has a port of the machine, and that of its loopback address', (t) => {
  const published = services.filter(([, { ports }]) => ports !== undefined);
  t.deepEqual(
    published.map(([name, { ports }]) => [name, ports]),
    [['gateway', ['$' + '{LISTEN_HOST:-127.0.0.1}:$' + '{PORT:-8080}:8080']]],
  );
});

test('stores are reached by programs alone, and only auth-server reaches the internet', (t) => {
  t.deepEqual(compose.networks, {
    public: {},
    internet: {},
    services: { internal: true },
    stores: { internal: true },
  });
  t.deepEqual(Object.fromEntries(services.map(([name, { networks }]) => [name, networks])), {
    gateway: ['public', 'services'],
    'auth-server': ['services', 'stores', 'internet'],
    'resource-api': ['services', 'stores'],
    migrate: ['stores'],
    admin: ['stores'],
    postgres: ['stores'],
    redis: ['stores'],
  });
});

test('PostgreSQL accepts the connections of as many replicas as the gateway knows', (t) => {
  const replicas = [...gatewayText.matchAll(/server-template \S+ (\d+) /g)].map(([, count]) => Number(count));
  const [, limit] = /max_connections=(\d+)/.exec(service('postgres').command?.join(' ') ?? '') ?? [];
  const poolSize = 10;
  const migrationAndAdministrators = 10;
  const wanted = replicas.reduce((sum, count) => sum + count * poolSize, migrationAndAdministrators);
  t.true(replicas.length === 2 && wanted <= Number(limit), `${wanted} of ${limit}`);
});

test('the script makes every secret once, readable for the containers only on this machine', (t) => {
  const secrets = makeSecrets();
  t.teardown(secrets.remove);
  const declared = Object.values(compose.secrets).map(({ file }) => path.posix.basename(file));
  t.deepEqual(readdirSync(secrets.folder).toSorted(), declared.toSorted());
  t.is(statSync(secrets.folder).mode & 0o777, 0o700);
  const read = () => declared.map((name) => readFileSync(path.join(secrets.folder, name), 'utf8'));
  for (const name of declared) t.is(statSync(path.join(secrets.folder, name)).mode & 0o777, 0o444);
  t.is(new Set(read().flatMap((text) => text.match(/[0-9a-f]{64}/g) ?? [])).size, declared.length - 1);
  const before = read();
  t.is(secrets.makeAgain(), '');
  t.deepEqual(read(), before);
});

test('neither git nor the image contains the secrets', (t) => {
  const read = (file: string) => readFileSync(path.join(projectFolder, file), 'utf8');
  t.regex(read('deploy/compose/.gitignore'), /^\/secrets\/$/m);
  t.regex(read('deploy/compose/.gitignore'), /^\/mail\.env$/m);
  t.notRegex(read('.dockerignore'), /^!deploy(\/compose.*)?$/m);
});

const postgresPrograms = findInstalledPrograms() ?? '';
const testWithPostgres = testWithProgram('PostgreSQL with its programs', postgresPrograms !== '');

testWithPostgres(
  'each login that the script creates has the rights of its own role and no more',
  async (t) => {
    const secrets = makeSecrets();
    t.teardown(secrets.remove);
    const { urlOf } = await startComposeDatabase(t, postgresPrograms, secrets);
    await migrateDatabase(urlOf('migrator-database-url'));
    const refused = [
      ['resource-api-database-url', 'select from auth.signing_key'],
      ['resource-api-database-url', 'set role auth_server'],
      ['resource-api-database-url', 'create schema own'],
      ['auth-server-database-url', 'select from tasks.task'],
      ['auth-server-database-url', 'set role resource_api'],
      ['auth-server-database-url', 'create schema own'],
    ];
    for (const [secret = '', statement = ''] of refused) {
      const connection = connectSql(urlOf(secret));
      await t.throwsAsync(connection.run(statement), { message: /permission denied/ }, statement);
      await connection.close();
    }
  },
);
