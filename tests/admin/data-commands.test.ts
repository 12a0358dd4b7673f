import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { notesRendererVersion } from '#resource-api/notes/notes-renderer.ts';
import { holdAccount } from '#tests/api/idempotency/hold-account.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { runAdminHere } from './run-admin.ts';

const stack = await startStack(test, { own: true });

async function renderNotes(t: ExecutionContext) {
  const { stdout, stderr } = await runAdminHere(['notes', 'render'], { DATABASE_URL: stack.databaseUrl });
  t.is(stderr, '');
  return JSON.parse(stdout);
}

const description = 'Some *soil*';
const html = '<p>Some <em>soil</em></p>';
const earlier = { html: '<p>Some <b>soil</b></p>', version: notesRendererVersion - 1 };

/** As an earlier release would have left them. */
async function makeOutdated(table: 'task' | 'project', id: string, text = earlier.html): Promise<void> {
  const { sql } = stack;
  const { version } = earlier;
  await (table === 'task'
    ? sql`update tasks.task set description_html = ${text}, renderer_version = ${version} where id = ${id}`
    : sql`update tasks.project set description_html = ${text}, renderer_version = ${version}
        where id = ${id}`);
}

const countOutdated = async (): Promise<number> => {
  const outdated = await stack.sql`select id from tasks.task where renderer_version < ${notesRendererVersion}
    and description is not null`;
  return outdated.length;
};

test.serial('notes of an earlier renderer are rendered again; mirrors hear of what changed', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { description });
  const trashed = await makeTask(api, { description });
  await api.delete(`/tasks/${trashed.id}`);
  const same = await makeTask(api, { description });
  const project = await makeProject(api, { description });
  const untouched = await makeTask(api, { description });
  await makeOutdated('task', task.id);
  await makeOutdated('task', trashed.id);
  await makeOutdated('task', same.id, html);
  await makeOutdated('project', project.id);
  const last = untouched.updatedAt;

  const { accounts, rendered, changed } = await renderNotes(t);
  t.true(accounts >= 1);
  t.deepEqual({ rendered, changed }, { rendered: 4, changed: 3 });
  const mirrored = await api.get<{ items: Task[] }>(`/tasks?view=all&updatedSince=${last}`);
  const seen = mirrored.body.items.filter(({ id }) => id !== untouched.id);
  t.deepEqual(seen.map(({ id }) => id).toSorted(), [task.id, trashed.id].toSorted());
  for (const { descriptionHtml } of seen) t.is(descriptionHtml, html);
  const { body } = await api.get<Project>(`/projects/${project.id}`);
  t.is(body.descriptionHtml, html);
  t.true(body.updatedAt > project.updatedAt);
  t.deepEqual((await api.get(`/tasks/${same.id}`)).body, same);
  t.is(await countOutdated(), 0);

  t.like(await renderNotes(t), { rendered: 0, changed: 0 });
});

test.serial('those of a suspended account are rendered too', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { description });
  await makeOutdated('task', task.id);
  await stack.setStatus(api.account, 'suspended');
  t.like(await renderNotes(t), { rendered: 1, changed: 1 });
  t.is((await api.get<Task>(`/tasks/${task.id}`)).body.descriptionHtml, html);
});

test.serial('more notes than are written at once are all rendered', async (t) => {
  const api = await stack.newClient();
  const tasks = await Promise.all(Array.from({ length: 45 }, () => makeTask(api, { description })));
  for (const { id } of tasks) await makeOutdated('task', id);
  t.like(await renderNotes(t), { rendered: 45, changed: 45 });
  t.is(await countOutdated(), 0);
});

test.serial('notes that their owner changes meanwhile stay as rendered for the owner', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { description });
  await makeOutdated('task', task.id);
  const owner = await holdAccount(t, stack, api, async (em) => {
    await em.execute('update tasks.task set description = ?, description_html = ? where id = ?', [
      'Some **sand**',
      '<p>Some <strong>sand</strong></p>',
      task.id,
    ]);
  });
  const rendering = renderNotes(t);
  await owner.untilAwaited();
  await owner.release();
  t.like(await rendering, { rendered: 1, changed: 0 });
  const { body } = await api.get<Task>(`/tasks/${task.id}`);
  t.is(body.descriptionHtml, '<p>Some <strong>sand</strong></p>');
});

test.serial('notes that are shown as plain text are tried again', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { description: '*a* [constructor]' });
  t.is(task.descriptionHtml, '<p>*a* [constructor]</p>');
  await renderNotes(t);
  t.is(await countOutdated(), 1);
  t.like(await renderNotes(t), { rendered: 1, changed: 0 });
  t.deepEqual((await api.get(`/tasks/${task.id}`)).body, task);
});

test.serial('limits of notes that the services refuse are refused', async (t) => {
  const env = { DATABASE_URL: stack.databaseUrl, NOTES_WORKERS: 'many' };
  const { exitCode, stderr } = await runAdminHere(['notes', 'render'], env);
  t.is(exitCode, 1);
  t.regex(stderr, /NOTES_WORKERS/);
});

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

/** The operator's command with a login that has one role. */
async function adminWithRole(t: ExecutionContext, role: string) {
  const login = `data_commands_${role}_${process.pid}`;
  const server = connectSql(stack.databaseUrl);
  await server.run(`create role ${login} login password 'password' in role ${role}`);
  t.teardown(async () => {
    await server.run(`drop role ${login}`);
    await server.close();
  });
  const url = Object.assign(new URL(stack.databaseUrl), { username: login, password: 'password' });
  return (...args: string[]) => runAdminHere(args, { DATABASE_URL: url.href });
}

test('with auth-server’s login an account is deleted now, and the services erase the rest', async (t) => {
  const adminOfAuthServer = await adminWithRole(t, 'auth_server');
  const { account, ...api } = await stack.newClient();
  await makeTask(api);
  const deleted = await adminOfAuthServer('account', 'delete', '--email', account.email, '--now');
  t.deepEqual(deleted, {
    exitCode: 0,
    stdout: `{"accountId":"${account.accountId}","isErased":false}\n`,
    stderr: '',
  });
});

test('with resource-api’s login accounts are found by id, and the refusal of --email says how', async (t) => {
  const adminOfResourceApi = await adminWithRole(t, 'resource_api');
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
    'the login of the database may not look for an e-mail address: ' +
    'give --account-id, which account show answers\n';
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
