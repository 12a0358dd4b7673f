import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTasks, listTitles, readTask, transition } from './task-requests.ts';

const stack = await startStack(test, { now: '2026-11-20T12:00:00Z' });

const weekly = { frequency: 'weekly' } as const;

async function logbook(api: AccountClient): Promise<Task[]> {
  return (await api.get<Page<Task>>('/tasks?view=logbook')).body.items;
}

test('the live task keeps all but its dates and ticks; the logged occurrence keeps those, under its own id', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const task = await makeTask(api, {
    title: 'Water the plants',
    description: 'The *fern* first.',
    sectionId: section.id,
    dueDate: '2026-11-20',
    deadlineDate: '2026-11-22',
    reminderTime: '09:30',
    recurrence: weekly,
    checklist: [{ title: 'Fern', completed: true }, { title: 'Cactus' }],
  });
  const live = await transition(api, task.id, 'complete');
  const { updatedAt } = live;
  t.deepEqual(live, {
    ...task,
    dueDate: '2026-11-27',
    deadlineDate: '2026-11-29',
    checklist: task.checklist.map((item) => ({ ...item, completed: false })),
    updatedAt,
  });
  t.true(updatedAt > task.updatedAt);
  t.deepEqual(await readTask(api, task.id), live);

  const [logged, ...others] = await logbook(api);
  t.deepEqual(others, []);
  t.not(logged?.id, task.id);
  t.deepEqual(logged, {
    ...task,
    id: logged?.id ?? '',
    status: 'completed',
    recurrence: null,
    inLogbook: true,
    completedAt: updatedAt,
    createdAt: updatedAt,
    updatedAt,
  });
  t.deepEqual(await readTask(api, logged?.id ?? ''), logged);
});

test('a task of the inbox that repeats without a date gets one and moves to the top of Someday', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { title: 'repeats', recurrence: { frequency: 'daily' } });
  await makeTask(api, { title: 'there before', list: 'someday' });
  t.is(task.list, 'inbox');
  const live = await transition(api, task.id, 'complete');
  t.like(live, { list: 'someday', dueDate: '2026-11-21' });
  t.deepEqual(await listTitles(api, 'view=someday'), ['repeats', 'there before']);
  t.like(await logbook(api), [{ list: 'inbox', dueDate: null, recurrence: null }]);
});

test('cancelling ends the series: the task is cancelled, nothing is logged beside it, and it comes back plain', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { dueDate: '2026-11-20', reminderTime: '09:30', recurrence: weekly });
  const cancelled = await transition(api, task.id, 'cancel');
  t.like(cancelled, { id: task.id, status: 'cancelled', recurrence: null, dueDate: '2026-11-20' });
  t.deepEqual(await listTasks(api, 'view=all'), [cancelled]);
  t.like(await transition(api, task.id, 'uncancel'), { status: 'open', recurrence: null });
  t.like(await transition(api, task.id, 'complete'), { status: 'completed', dueDate: '2026-11-20' });
});

test('reopening a logged occurrence makes an ordinary task and does not rewind the series', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { dueDate: '2026-11-20', recurrence: weekly });
  const live = await transition(api, task.id, 'complete');
  const [logged] = await logbook(api);
  const reopened = await transition(api, logged?.id ?? '', 'uncomplete');
  t.like(reopened, { status: 'open', recurrence: null, dueDate: '2026-11-20', completedAt: null });
  t.deepEqual(await readTask(api, task.id), live);
  t.like(await transition(api, reopened.id, 'complete'), { id: reopened.id, status: 'completed' });
  t.is((await transition(api, task.id, 'complete')).dueDate, '2026-12-04');
});

for (const [completeChildTasks, status] of [
  [true, 'completed'],
  [false, 'cancelled'],
] as const) {
  test(`a project that is completed closes its repeating tasks without rolling them: ${status}`, async (t) => {
    const api = await stack.newClient();
    const project = await makeProject(api);
    const task = await makeTask(api, { projectId: project.id, dueDate: '2026-11-20', recurrence: weekly });
    await api.post(`/projects/${project.id}/complete`, { completeChildTasks });
    t.like(await listTasks(api, 'view=all'), [
      { id: task.id, status, dueDate: '2026-11-20', recurrence: null },
    ]);
    await api.post(`/projects/${project.id}/uncomplete`);
    t.like(await readTask(api, task.id), { status, recurrence: null });
    const reopen = status === 'completed' ? 'uncomplete' : 'uncancel';
    t.like(await transition(api, task.id, reopen), { status: 'open', recurrence: null });
  });
}

test('an old deadline of an account that is free by now keeps rolling', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const both = await makeTask(api, {
    dueDate: '2026-11-20',
    deadlineDate: '2026-11-21',
    recurrence: weekly,
  });
  const alone = await makeTask(api, { deadlineDate: '2026-11-21', recurrence: weekly });
  await stack.setPlan(api.account, 'free');
  t.like(await transition(api, both.id, 'complete'), { dueDate: '2026-11-27', deadlineDate: '2026-11-28' });
  t.like(await transition(api, alone.id, 'complete'), { dueDate: null, deadlineDate: '2026-11-28' });
});
