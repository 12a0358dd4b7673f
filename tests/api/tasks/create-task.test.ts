import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask } from './task-requests.ts';

const stack = await startStack(test);

test('a title is enough for a task; every other field takes its default', async (t) => {
  const api = await stack.newClient();
  const { status, body } = await api.post<Task>('/tasks', { title: 'Buy milk' });
  t.is(status, 201);
  t.deepEqual(body, {
    id: body.id,
    title: 'Buy milk',
    description: null,
    descriptionHtml: '',
    status: 'open',
    list: 'inbox',
    projectId: null,
    sectionId: null,
    dueDate: null,
    deadlineDate: null,
    reminderTime: null,
    recurrence: null,
    checklist: [],
    inTrash: false,
    inLogbook: false,
    completedAt: null,
    cancelledAt: null,
    createdAt: body.createdAt,
    updatedAt: body.createdAt,
  });
  t.regex(body.id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  t.regex(body.createdAt, /^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/);
  t.deepEqual(await readTask(api, body.id), body);
});

test('every field that is sent is answered and reads back', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const sent = {
    title: 'Call the dentist',
    description: 'Ask about **Thursday**.',
    list: 'project',
    projectId: project.id,
    sectionId: section.id,
    dueDate: '2026-11-24',
    deadlineDate: '2026-12-01',
    reminderTime: '09:30',
    recurrence: { frequency: 'weekly', interval: 2, weekdays: ['tuesday'], fromCompletion: true },
    checklist: [{ title: 'Find the number', completed: true }, { title: 'Call' }],
  };
  const { status, body } = await api.post<Task>('/tasks', sent);
  t.is(status, 201);
  const [first, second] = body.checklist;
  t.like(body, {
    ...sent,
    status: 'open',
    checklist: [
      { id: first?.id, title: 'Find the number', completed: true },
      { id: second?.id, title: 'Call', completed: false },
    ],
  });
  t.true(body.descriptionHtml.includes('Thursday'));
  t.deepEqual(await readTask(api, body.id), body);
});

test('a reminder needs a start date; a deadline is none', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  for (const fields of [
    {},
    { dueDate: null },
    { deadlineDate: '2026-12-01' },
    { list: 'someday', recurrence: { frequency: 'daily' } },
  ]) {
    const answer = await api.post('/tasks', { title: 'Task', reminderTime: '09:30', ...fields });
    expectInvalid(t, answer, ['reminderTime'], JSON.stringify(fields));
  }
});

test('invisible characters that are no white space make a title', async (t) => {
  const api = await stack.newClient();
  for (const title of [
    '\u200b',
    '\ufeff',
    '\u2060',
    '\u180e',
    '\u00ad',
    '\u3164',
    '\u2800',
    '\u200d',
    '\u0001',
  ]) {
    const { status, body } = await api.post<Task>('/tasks', { title });
    t.like({ status, body }, { status: 201, body: { title } }, JSON.stringify(title));
  }
});

for (const empty of ['', null]) {
  test(`notes sent as ${JSON.stringify(empty)} read back as null, and their rendering as empty`, async (t) => {
    const api = await stack.newClient();
    const task = await makeTask(api, { description: empty });
    t.like(await readTask(api, task.id), { description: null, descriptionHtml: '' });
    t.deepEqual(await patchTask(api, task.id, { description: empty }), task);
    await patchTask(api, task.id, { description: 'Not empty' });
    await patchTask(api, task.id, { description: empty });
    t.like(await readTask(api, task.id), { description: null, descriptionHtml: '' });
  });
}
