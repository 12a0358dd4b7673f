import test, { type ExecutionContext } from 'ava';
import { notesRendererVersion } from '#resource-api/notes/notes-renderer.ts';
import type { Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { holdAccount } from '../api/idempotency/hold-account.ts';
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
    : sql`update tasks.project set description_html = ${text}, renderer_version = ${version} where id = ${id}`);
}

const countOutdated = async (): Promise<number> => {
  const outdated = await stack.sql`select id from tasks.task where renderer_version < ${notesRendererVersion}
    and description is not null`;
  return outdated.length;
};

test.serial(
  'notes of an earlier renderer are rendered again, and mirrors hear of those that change',
  async (t) => {
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
  },
);

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

test.serial(
  'notes that their owner changes meanwhile stay as they were rendered for the owner',
  async (t) => {
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
  },
);

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
