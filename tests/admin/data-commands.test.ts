import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Project, Task } from '#tests/support/api-types.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { runAdminHere } from './run-admin.ts';

const stack = await startStack(test, { own: true });
const admin = (...args: string[]) => runAdminHere(args, { DATABASE_URL: stack.databaseUrl });

test('a trashed project is restored with the tasks trashed with it', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api, { description: '*notes*' });
  const section = await makeSection(api, project.id);
  const task = await makeTask(api, { sectionId: section.id });
  const trashedBefore = await makeTask(api, { projectId: project.id });
  await api.delete(`/tasks/${trashedBefore.id}`);
  await api.delete(`/projects/${project.id}`);
  const args = ['project', 'restore', '--email', api.account.email.toUpperCase(), '--project-id', project.id];
  const restored = await admin(...args);
  t.is(restored.stderr, '');
  const { body } = await api.get<Project>(`/projects/${project.id}`);
  t.deepEqual(body, JSON.parse(restored.stdout));
  t.deepEqual(body, { ...project, sections: [section], updatedAt: body.updatedAt });
  t.true(body.updatedAt > trashedBefore.updatedAt);
  t.deepEqual((await api.get<Task>(`/tasks/${task.id}`)).body, { ...task, updatedAt: body.updatedAt });
  t.true((await api.get<Task>(`/tasks/${trashedBefore.id}`)).body.inTrash);
});

test('a project that is malformed, missing or another account’s is one error', async (t) => {
  const api = await stack.newClient();
  const foreign = await makeProject(await stack.newClient());
  for (const id of ['x', randomUUID(), foreign.id]) {
    const { exitCode, stdout, stderr } = await admin(
      'project',
      'restore',
      '--email',
      api.account.email,
      '--project-id',
      id,
    );
    t.is(exitCode, 1);
    t.is(stdout, '');
    t.is(stderr, 'the account has no project with that id\n');
  }
});

test('the feed is shown whole or from a number on', async (t) => {
  const api = await stack.newClient();
  const first = await makeTask(api);
  const second = await makeTask(api);
  const show = async (...more: string[]) => {
    const { stdout } = await admin('feed', 'show', '--email', api.account.email, ...more);
    return JSON.parse(stdout);
  };
  const entry = { entity: 'task', change: 'created' };
  t.deepEqual(await show(), [
    { seq: 1, id: first.id, at: first.createdAt, ...entry },
    { seq: 2, id: second.id, at: second.createdAt, ...entry },
  ]);
  t.deepEqual(await show('--since', '1'), [{ seq: 2, id: second.id, at: second.createdAt, ...entry }]);
  t.deepEqual(await show('--since', '2'), []);
});

test('with resource-api’s login accounts are found by id, and the refusal of --email says how', async (t) => {
  const login = `data_commands_${process.pid}`;
  const server = connectSql(stack.databaseUrl);
  await server.run(`create role ${login} login password 'password' in role resource_api`);
  t.teardown(async () => {
    await server.run(`drop role ${login}`);
    await server.close();
  });
  const url = Object.assign(new URL(stack.databaseUrl), { username: login, password: 'password' });
  const adminOfResourceApi = (...args: string[]) => runAdminHere(args, { DATABASE_URL: url.href });

  const api = await stack.newClient();
  const project = await makeProject(api);
  await api.delete(`/projects/${project.id}`);
  const { stdout } = await admin('account', 'show', '--email', api.account.email);
  const account = ['--account-id', String(JSON.parse(stdout).accountId).toUpperCase()];
  const restored = await adminOfResourceApi('project', 'restore', ...account, '--project-id', project.id);
  t.is(restored.stderr, '');
  t.like(JSON.parse(restored.stdout), { id: project.id, inTrash: false });
  const feed = await adminOfResourceApi('feed', 'show', ...account);
  t.is(feed.stderr, '');
  t.deepEqual(feed, await admin('feed', 'show', '--email', api.account.email));

  const refused =
    'the login of the database may not look for an e-mail address: give --account-id, which account show answers\n';
  const byEmail = ['--email', api.account.email];
  t.is((await adminOfResourceApi('feed', 'show', ...byEmail)).stderr, refused);
  const restore = ['project', 'restore', ...byEmail, '--project-id', project.id];
  t.is((await adminOfResourceApi(...restore)).stderr, refused);
});

test('an account is named by its address or its id, one of the two', async (t) => {
  const id = randomUUID();
  for (const given of [[], ['--email', 'ada@example.com', '--account-id', id]])
    t.is((await admin('feed', 'show', ...given)).stderr, 'give --email or --account-id\n');
  for (const unknown of [id, 'x']) {
    const account = ['--account-id', unknown];
    t.is((await admin('feed', 'show', ...account)).stderr, 'there is no account with that id\n');
    const { stderr } = await admin('project', 'restore', ...account, '--project-id', id);
    t.is(stderr, 'there is no account with that id\n');
  }
});

test('an unknown account and an invalid number are errors', async (t) => {
  const unknown = ['--email', 'nobody@example.com'];
  t.is((await admin('feed', 'show', ...unknown)).stderr, 'there is no account with that e-mail address\n');
  t.is(
    (await admin('project', 'restore', ...unknown, '--project-id', randomUUID())).stderr,
    'there is no account with that e-mail address\n',
  );
  for (const since of ['-1', '1.5', 'x', '']) {
    const { exitCode, stderr } = await admin('feed', 'show', ...unknown, `--since=${since}`);
    t.is(exitCode, 1);
    t.is(stderr, '--since must be a whole number from 0\n');
  }
});
