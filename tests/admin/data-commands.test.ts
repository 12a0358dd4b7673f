import { randomUUID } from 'node:crypto';
import test from 'ava';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { runAdminHere } from './run-admin.ts';

const stack = await startStack(test);
const admin = (...args: string[]) => runAdminHere(args, { DATABASE_URL: stack.databaseUrl });

test('a trashed project comes back with the tasks that went with it', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const task = await makeTask(api, { projectId: project.id });
  await api.delete(`/projects/${project.id}`);
  const args = ['project', 'restore', '--email', api.account.email.toUpperCase(), '--project-id', project.id];
  const restored = await admin(...args);
  t.is(restored.stderr, '');
  t.like(JSON.parse(restored.stdout), { id: project.id, title: project.title, inTrash: false });
  t.is((await api.get(`/projects/${project.id}`)).status, 200);
  t.is((await api.get(`/tasks/${task.id}`)).body.inTrash, false);
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

test('an unknown account and a number that is none are said', async (t) => {
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
