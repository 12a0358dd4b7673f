import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { showFeed } from '#resource-api/admin/feed-admin.ts';
import { restoreProject } from '#resource-api/admin/project-admin.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTasks, patchTask, transition, trash } from './task-requests.ts';

const stack = await startStack(test);

type Entry = [entity: string, id: string, change: string];

async function feedOf({ account: { accountId } }: AccountClient) {
  return showFeed(stack.databaseUrl, { accountId, since: 0 });
}

/** Runs the writes one by one; each must append exactly these entries, in any order, at one instant of its own. */
async function expectEntries(
  t: ExecutionContext,
  api: AccountClient,
  writes: readonly [what: string, write: () => Promise<unknown>, entries: () => readonly Entry[]][],
): Promise<void> {
  let before = await feedOf(api);
  for (const [what, write, entries] of writes) {
    await write();
    const after = await feedOf(api);
    const added = after.slice(before.length);
    const shown = added.map(({ entity, id, change }) => `${entity} ${id} ${change}`);
    t.deepEqual(
      shown.sort(),
      entries()
        .map((entry) => entry.join(' '))
        .sort(),
      what,
    );
    t.true(new Set(added.map(({ at }) => at)).size <= 1, `${what}: one instant`);
    t.true((added[0]?.at ?? '~') > (before.at(-1)?.at ?? ''), `${what}: later than the write before`);
    before = after;
  }
  t.deepEqual(
    before.map(({ seq }) => seq),
    before.map((_, index) => index + 1),
  );
  await expectStamps(t, api);
}

/** Every task carries the instant of the newest entry that names it. */
async function expectStamps(t: ExecutionContext, api: AccountClient): Promise<void> {
  const newest = new Map((await feedOf(api)).map(({ id, at }) => [id, at]));
  for (const { id, updatedAt, title } of await listTasks(api, 'view=all&limit=200')) {
    t.is(updatedAt, newest.get(id) ?? 'no entry', title);
  }
}

test('every write to a task makes one entry; one that changes nothing makes none', async (t) => {
  const api = await stack.newClient();
  let id = '';
  const updated = (): Entry[] => [['task', id, 'updated']];
  const none = (): Entry[] => [];
  const step = (name: 'complete' | 'uncomplete' | 'cancel' | 'uncancel' | 'restore') => () =>
    transition(api, id, name);
  const patch = (body: object) => () => patchTask(api, id, body);
  const move = (body: object) => () => api.post(`/tasks/${id}/move`, body);
  await expectEntries(t, api, [
    [
      'create',
      async () => {
        id = (await makeTask(api, { checklist: [{ title: 'Item' }] })).id;
      },
      () => [['task', id, 'created']],
    ],
    ['patch', patch({ title: 'After', description: 'After' }), updated],
    ['the same patch again', patch({ title: 'After', description: 'After' }), none],
    ['an empty patch', patch({}), none],
    ['a patch that moves it to Someday', patch({ dueDate: '2026-11-24' }), updated],
    ['move', move({ list: 'someday' }), updated],
    ['move to where it is', move({ list: 'someday' }), updated],
    ['uncomplete while open', step('uncomplete'), none],
    ['complete', step('complete'), updated],
    ['complete again', step('complete'), none],
    ['cancel while completed', () => api.post(`/tasks/${id}/cancel`), none],
    ['uncomplete', step('uncomplete'), updated],
    ['cancel', step('cancel'), updated],
    ['cancel again', step('cancel'), none],
    ['uncancel', step('uncancel'), updated],
    ['restore while not in the Trash', step('restore'), none],
    ['trash', () => trash(api, id), updated],
    ['trash again', () => trash(api, id), none],
    ['complete in the Trash', () => api.post(`/tasks/${id}/complete`), none],
    ['patch in the Trash', patch({ title: 'In the Trash' }), updated],
    ['restore', step('restore'), updated],
  ]);
});

test('requests that are refused make no entry, whatever refuses them', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  await api.post(`/projects/${project.id}/complete`);
  const { id } = await makeTask(api);
  const reader = stack.client(await stack.createToken(api.account, { scopes: ['read'] }));
  const none = (): Entry[] => [];
  await expectEntries(t, api, [
    ['400 on creation', () => api.post('/tasks', { title: ' ' }), none],
    ['400 in a patch', () => api.patch(`/tasks/${id}`, { title: 'x', reminderTime: '09:00' }), none],
    ['403 scope', () => reader.patch(`/tasks/${id}`, { title: 'x' }), none],
    ['403 plan', () => api.patch(`/tasks/${id}`, { title: 'x', deadlineDate: '2026-12-01' }), none],
    ['404 task', () => api.patch(`/tasks/${randomUUID()}`, { title: 'x' }), none],
    ['404 project', () => api.post('/tasks', { title: 'x', projectId: randomUUID() }), none],
    ['409 closed project', () => api.post('/tasks', { title: 'x', projectId: project.id }), none],
    ['409 state', () => api.post(`/tasks/${id}/move`, { projectId: project.id }), none],
    ['reads', () => api.get('/tasks?updatedSince=2020-01-01T00:00:00Z'), none],
  ]);
});

test('completing a repeating task makes two entries: the task that goes on and the occurrence that is logged', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api, { dueDate: '2020-01-01', recurrence: { frequency: 'daily' } });
  let logged: Task[] = [];
  const complete = async () => {
    await transition(api, id, 'complete');
    logged = await listTasks(api, 'view=logbook');
  };
  const both = (): Entry[] => [
    ['task', id, 'updated'],
    ['task', logged[0]?.id ?? '', 'created'],
  ];
  await expectEntries(t, api, [
    ['complete', complete, both],
    ['complete the next one', complete, both],
    ['cancel', () => transition(api, id, 'cancel'), () => [['task', id, 'updated']]],
  ]);
});

test('a project’s writes make an entry for each task they change, and none for the others', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const inSection = await makeTask(api, { sectionId: section.id });
  const repeating = await makeTask(api, { projectId: project.id, recurrence: { frequency: 'daily' } });
  const closed = await makeTask(api, { sectionId: section.id });
  const trashed = await makeTask(api, { sectionId: section.id });
  await makeTask(api);
  await transition(api, closed.id, 'cancel');
  await trash(api, trashed.id);

  const { accountId } = api.account;
  const projectUpdated: Entry = ['project', project.id, 'updated'];
  const withOpenTasks = (): Entry[] => [
    projectUpdated,
    ['task', inSection.id, 'updated'],
    ['task', repeating.id, 'updated'],
  ];
  await expectEntries(t, api, [
    [
      'delete the section',
      () => api.delete(`/projects/${project.id}/sections/${section.id}`),
      () => [
        ['section', section.id, 'deleted'],
        ['task', inSection.id, 'updated'],
        ['task', closed.id, 'updated'],
        ['task', trashed.id, 'updated'],
      ],
    ],
    ['trash the project', () => api.delete(`/projects/${project.id}`), withOpenTasks],
    [
      'restore the project',
      () => restoreProject(stack.databaseUrl, { accountId, projectId: project.id }),
      withOpenTasks,
    ],
    ['complete the project', () => api.post(`/projects/${project.id}/complete`), withOpenTasks],
    ['complete it again', () => api.post(`/projects/${project.id}/complete`), () => []],
    ['make it active again', () => api.post(`/projects/${project.id}/uncomplete`), () => [projectUpdated]],
    ['trash it without open tasks', () => api.delete(`/projects/${project.id}`), () => [projectUpdated]],
  ]);
});

test('updatedAt strictly increases from write to write, parallel ones included', async (t) => {
  const api = await stack.newClient();
  const created = await Promise.all(Array.from({ length: 20 }, () => makeTask(api)));
  const patched = await Promise.all(created.map(({ id }) => patchTask(api, id, { title: 'After' })));
  const stamps = [...created, ...patched].map(({ updatedAt }) => updatedAt);
  t.is(new Set(stamps).size, 40);
  t.true(patched.every(({ updatedAt }) => created.every((task) => updatedAt > task.updatedAt)));
  const feed = await feedOf(api);
  t.deepEqual(
    feed.map(({ seq }) => seq),
    Array.from({ length: 40 }, (_, index) => index + 1),
  );
  t.deepEqual(
    feed.map(({ at }) => at),
    stamps.toSorted(),
  );
});
