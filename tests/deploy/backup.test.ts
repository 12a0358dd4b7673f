import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import { promisify } from 'node:util';
import test, { type ExecutionContext } from 'ava';
import { writeRunningInstance } from '#local/running-instance.ts';
import { projectFolder } from '#tests/architecture/source-files.ts';
import {
  findInstalledPrograms,
  makeServerFolder,
  runPostgresProgram,
  startInstalledPostgres,
} from '#tests/deploy/backup/installed-postgres.ts';
import { type ComposeDatabase, startComposeDatabase } from '#tests/deploy/compose/compose-database.ts';
import { type MadeSecrets, makeSecrets } from '#tests/deploy/compose/compose-file.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { databaseUrlOn } from '#tests/support/database-url.ts';
import { makeArea, makeProject, makeTask, makeTasks } from '#tests/support/factories.ts';
import { freshDatabaseUrl } from '#tests/support/fresh-database.ts';
import { type Stack, type StackOwner, startStack } from '#tests/support/stack.ts';
import type { TestToken } from '#tests/support/test-accounts.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { migrateDatabase } from '../../deploy/admin/migrate-database.ts';

/** The blocks of commands below a heading of a document. */
function documentedCommands(document: string, heading: string): string[] {
  const text = readFileSync(path.join(projectFolder, 'docs', document), 'utf8');
  const [, section = ''] = text.split(`\n## ${heading}\n`);
  const [own = ''] = section.split('\n## ');
  return [...own.matchAll(/```bash\n([\s\S]*?)```/g)].map(([, commands = '']) => commands);
}

type Surroundings = { programs: readonly string[]; folder?: string; variables: Record<string, string> };

/** As a shell that stops at the first failure, with `programs` searched first. */
async function runCommands(
  commands: string,
  { programs, folder = projectFolder, variables }: Surroundings,
): Promise<void> {
  const env = { ...variables, PATH: [...programs, process.env.PATH].join(':'), HOME: process.env.HOME };
  await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', commands], { cwd: folder, env });
}

/** What callers keep while the service behind them is restored. */
type Callers = {
  accountId: string;
  token: TestToken;
  revokedToken: TestToken;
  /** A JWT, signed by the keys in the database. */
  accessToken: string;
  /** The idempotency key under which a task was made. */
  idempotencyKey: string;
};

/** Both services over this database, under one public address wherever they run: it is part of every JWT. */
function startServices(owner: StackOwner, databaseUrl: string): Promise<Stack> {
  const environment = { BASE_URL: 'https://tasks.example.com' };
  return startStack(owner, { databaseUrl, withAuthServer: true, environment });
}

/** An account that has used what there is. */
async function useService(stack: Stack): Promise<Callers> {
  const client = await stack.newClient({ plan: 'premium' });
  const { account, token } = client;
  const area = await makeArea(client);
  const project = await makeProject(client, { areaId: area.id, description: '**notes**' });
  const [done, trashed] = await makeTasks(client, 3, { projectId: project.id });
  await makeTask(client, { checklist: [{ title: 'one' }], dueDate: '2027-01-31' });
  await client.post(`/tasks/${done?.id}/complete`);
  await client.delete(`/tasks/${trashed?.id}`);
  const revokedToken = await stack.createToken(account);
  await stack.revokeToken(revokedToken);
  const idempotencyKey = randomUUID();
  await makeOnce(client, idempotencyKey);
  const exchanged = await stack.anonymous.post('/auth/token', { subjectToken: token.secret });
  return {
    accountId: account.accountId,
    token,
    revokedToken,
    accessToken: String(exchanged.body.accessToken),
    idempotencyKey,
  };
}

/** What callers are answered, and the account's feed as it is stored. */
async function readAnswers(stack: Stack, callers: Callers): Promise<Record<string, unknown>> {
  const answers: Record<string, unknown> = {};
  for (const [name, secret] of Object.entries({
    token: callers.token.secret,
    accessToken: callers.accessToken,
  })) {
    for (const path of ['/me', '/tasks?view=all', '/tasks?view=trash', '/projects', '/areas'])
      answers[`${path} with ${name}`] = answered(await stack.client(secret).get(path));
  }
  const revoked = await stack.client(callers.revokedToken).get('/me');
  answers['with the revoked token'] = [revoked.status, revoked.body.errorCode];
  answers['the request that was kept'] = await makeOnce(stack.client(callers.token), callers.idempotencyKey);
  answers.keys = answered(await stack.site.get('/oauth/jwks'));
  answers.feed =
    await stack.sql`select sequence::text, entity, entity_id, change, changed_at from tasks.feed_entry
    where account_id = ${callers.accountId} order by sequence`;
  return answers;
}

/** The same task, and its answer, however often it is sent. */
async function makeOnce(client: ApiClient, key: string): Promise<[number, unknown]> {
  return answered(
    await client.post('/tasks', { title: 'Sent again' }, { headers: { 'Idempotency-Key': key } }),
  );
}

function answered({ status, body }: ApiResponse): [number, unknown] {
  return [status, body];
}

const programs = findInstalledPrograms() ?? '';
const testWithPostgres = testWithProgram('PostgreSQL with its programs', programs !== '');

const searched = [programs, path.join(projectFolder, 'node_modules/.bin')];

testWithPostgres('the documented commands restore a dump on an empty server', async (t) => {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'dump-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  const run = (commands: string, given: Record<string, string>) =>
    runCommands(commands, { programs: searched, variables: given });
  const variables = { DUMP: path.join(folder, 'service.dump') };
  const [dump = '', restore = '', ...others] = documentedCommands('backup.md', 'A dump');
  t.deepEqual(others, []);

  const first = await startInstalledPostgres(t, programs);
  await migrateDatabase(first.url);
  const before = await startServices(t, first.url);
  const clients = await useService(before);
  const answers = await readAnswers(before, clients);
  await run(dump, { ...variables, DATABASE_URL: first.url });
  await makeTask(before.client(clients.token));
  await before.close();

  const second = await startInstalledPostgres(t, programs);
  const restored = databaseUrlOn(second.url, 'service');
  await run(restore, { ...variables, SERVER_URL: second.url, DATABASE_URL: restored });
  const after = await startServices(t, restored);
  t.deepEqual(await readAnswers(after, clients), answers);
  await makeTask(after.client(clients.token));
});

testWithPostgres(
  'a base backup and the archived log restore the service to the time before a mistake',
  async (t) => {
    const [archive, data] = [makeServerFolder(t), makeServerFolder(t)];
    const server = await startInstalledPostgres(t, programs, {
      settings: { archive_mode: 'on', archive_command: `cp %p ${archive}/%f` },
    });
    const database = connectSql(server.url);
    await migrateDatabase(server.url);
    runPostgresProgram(
      programs,
      'pg_basebackup',
      '--dbname',
      server.url,
      '--pgdata',
      data,
      '--checkpoint=fast',
    );

    const before = await startServices(t, server.url);
    const clients = await useService(before);
    const answers = await readAnswers(before, clients);
    await database.run(`select pg_create_restore_point('before_the_mistake')`);
    await database.run('delete from tasks.task');
    const [last] = await database.sql<{ file: string }>`select pg_walfile_name(pg_switch_wal()) as file`;
    const isArchived = async () => {
      const [row] = await database.sql<{
        file: string | null;
      }>`select last_archived_wal as file from pg_stat_archiver`;
      return (row?.file ?? '') >= (last?.file ?? '');
    };
    await waitFor(isArchived, { timeoutMilliseconds: 30_000, what: 'the write-ahead log to be archived' });
    await before.close();
    await database.close();
    await server.stop();

    writeFileSync(path.join(data, 'recovery.signal'), '', { mode: 0o644 });
    const restored = await startInstalledPostgres(t, programs, {
      data,
      settings: {
        restore_command: `cp ${archive}/%f %p`,
        recovery_target_name: 'before_the_mistake',
        recovery_target_action: 'promote',
        // Otherwise it accepts reads before it has reached the target.
        hot_standby: 'off',
      },
    });
    const after = await startServices(t, restored.url);
    t.deepEqual(await readAnswers(after, clients), answers);
    const task = await makeTask(after.client(clients.token));
    const [entry] = await after.sql<{ entity_id: string; sequence: string; entries: string }>`
    select entity_id, sequence,
      (select count(*) from tasks.feed_entry where account_id = ${clients.accountId}) as entries
    from tasks.feed_entry where account_id = ${clients.accountId} order by sequence desc limit 1`;
    t.is(entry?.entity_id, task.id);
    t.is(entry?.sequence, entry?.entries);
  },
);

/** Stands for Docker: runs what is to run in the container of PostgreSQL, and nothing else. */
const docker = `#!/bin/sh
[ "$1 $2 $3 $4" = 'compose exec -T postgres' ] || exit 0
shift 4
exec "$@"
`;

/** Runs documented commands where PostgreSQL's container is this server. */
function openMachine(t: ExecutionContext, secrets: MadeSecrets) {
  const folder = mkdtempSync(path.join(os.tmpdir(), 'machine-'));
  t.teardown(() => rmSync(folder, { recursive: true }));
  writeFileSync(path.join(folder, 'docker'), docker, { mode: 0o755 });
  mkdirSync(path.join(folder, 'deploy'));
  symlinkSync(path.dirname(secrets.folder), path.join(folder, 'deploy/compose'));
  return (commands: string, { host, port }: ComposeDatabase) =>
    runCommands(commands, {
      programs: [folder, programs],
      folder,
      variables: { PGHOST: host, PGPORT: port, DUMP: path.join(folder, 'tasks.dump') },
    });
}

testWithPostgres(
  'the commands for Docker Compose restore a dump on another machine and in place',
  async (t) => {
    const secrets = makeSecrets();
    t.teardown(secrets.remove);
    const run = openMachine(t, secrets);
    const [dump = '', restore = '', ...others] = documentedCommands('backup.md', 'Docker Compose');
    t.deepEqual(others, []);
    const first = await startComposeDatabase(t, programs, secrets);
    await migrateDatabase(first.urlOf('migrator-database-url'));
    const before = await startServices(t, first.urlOf('migrator-database-url'));
    const callers = await useService(before);
    const answers = await readAnswers(before, callers);
    await run(dump, first);
    await makeTask(before.client(callers.token));
    await before.close();

    for (const database of [first, await startComposeDatabase(t, programs, secrets)]) {
      await run(restore, database);
      const url = database.urlOf('migrator-database-url');
      t.deepEqual(await migrateDatabase(url), []);
      const after = await startServices(t, url);
      t.deepEqual(await readAnswers(after, callers), answers);
      await makeTask(after.client(callers.token));
      await after.close();
      const api = connectSql(database.urlOf('resource-api-database-url'));
      await t.throwsAsync(api.run('set role auth_server'), { message: /permission denied/ });
      await t.throwsAsync(api.run('create schema own'), { message: /permission denied/ });
      await api.close();
    }
  },
);

testWithPostgres('the documented commands move the database of npm start to Docker Compose', async (t) => {
  const secrets = makeSecrets();
  t.teardown(secrets.remove);
  const machine = openMachine(t, secrets);
  const dataDirectory = mkdtempSync(path.join(os.tmpdir(), 'data-'));
  t.teardown(() => rmSync(dataDirectory, { recursive: true }));
  const [dump = '', restore = '', ...others] = documentedCommands(
    'backup.md',
    'From `npm start` to servers of your own',
  );
  t.deepEqual(others, []);
  const local = await startInstalledPostgres(t, programs);
  await migrateDatabase(local.url);
  const before = await startServices(t, local.url);
  const callers = await useService(before);
  const answers = await readAnswers(before, callers);
  const running = { pid: process.pid, baseUrl: '', redisUrl: '', databaseUrl: local.url };
  writeRunningInstance(dataDirectory, { ...running, keyEncryptionSecret: '' });
  writeFileSync(path.join(dataDirectory, 'key-encryption-secret'), 'of npm start\n', { mode: 0o600 });
  const compose = await startComposeDatabase(t, programs, secrets);
  const run = (commands: string) => machine(`DATA_DIR=${dataDirectory}\n${commands}`, compose);
  await run(dump);
  await before.close();
  await run(restore);
  const secret = readFileSync(path.join(secrets.folder, 'key-encryption-secret'), 'utf8');
  t.is(secret, 'of npm start\n');
  const url = compose.urlOf('migrator-database-url');
  t.deepEqual(await migrateDatabase(url), []);
  t.deepEqual(await readAnswers(await startServices(t, url), callers), answers);
});

testWithPostgres('the commands for Docker Compose give a login another password', async (t) => {
  const secrets = makeSecrets();
  t.teardown(secrets.remove);
  const run = openMachine(t, secrets);
  const database = await startComposeDatabase(t, programs, secrets);
  const before = database.urlOf('resource-api-database-url');
  const [change = ''] = documentedCommands('operating.md', 'Secrets');
  await run(change, database);
  const after = database.urlOf('resource-api-database-url');
  t.not(after, before);
  t.is(new URL(after).username, new URL(before).username);
  const access = connectSql(after);
  await access.run('set role resource_api');
  await access.close();
  const refused = connectSql(before);
  await t.throwsAsync(refused.run('select 1'), { message: /password authentication failed/ });
  await refused.close();
});

test('a second database login takes over while the first still serves, which then ends', async (t) => {
  const databaseUrl = await freshDatabaseUrl(t);
  const administrator = connectSql(databaseUrl);
  t.teardown(administrator.close);
  const openLogin = async (): Promise<{ login: string; url: string }> => {
    const login = `service_${randomUUID().replaceAll('-', '')}`;
    await administrator.run(`create role ${login} login password 'secret'`);
    t.teardown(() => administrator.run(`drop role ${login}`));
    await administrator.run(`grant auth_server, resource_api to ${login}`);
    const url = new URL(databaseUrl);
    url.username = login;
    url.password = 'secret';
    return { login, url: url.href };
  };
  const [first, second] = [await openLogin(), await openLogin()];
  const callers = await useService(await startServices(t, databaseUrl));

  const before = await startServices(t, first.url);
  const answers = await readAnswers(before, callers);
  const after = await startServices(t, second.url);
  t.deepEqual(await readAnswers(after, callers), answers);
  await before.close();
  await administrator.run(`alter role ${first.login} nologin`);
  const refused = connectSql(first.url);
  t.teardown(refused.close);
  await t.throwsAsync(refused.run('select 1'), { message: /not permitted to log in/ });
  t.deepEqual(await readAnswers(after, callers), answers);
});
