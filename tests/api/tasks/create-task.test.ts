import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { listTitles, patchTask, readTask } from './task-requests.ts';

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

test('null leaves a field that may be empty empty', async (t) => {
  const api = await stack.newClient();
  const empty = {
    description: null,
    sectionId: null,
    dueDate: null,
    deadlineDate: null,
    reminderTime: null,
    recurrence: null,
  };
  const { status, body } = await api.post<Task>('/tasks', { title: 'Bare', ...empty, checklist: null });
  t.is(status, 201);
  t.like(body, { ...empty, checklist: [], list: 'inbox' });
});

test('a new task goes on top of its list, be it the inbox, Someday, a project or a section', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  for (const title of ['first', 'second', 'third']) {
    await makeTask(api, { title, list: 'inbox' });
    await makeTask(api, { title, list: 'someday' });
    await makeTask(api, { title, projectId: project.id });
    await makeTask(api, { title: `${title} in the section`, sectionId: section.id });
  }
  t.deepEqual(await listTitles(api, 'view=inbox'), ['third', 'second', 'first']);
  t.deepEqual(await listTitles(api, 'view=someday'), ['third', 'second', 'first']);
  t.deepEqual(await listTitles(api, `projectId=${project.id}`), [
    'third in the section',
    'third',
    'second in the section',
    'second',
    'first in the section',
    'first',
  ]);
});

test('every fault is named at once', async (t) => {
  const api = await stack.newClient();
  const answer = await api.post('/tasks', {
    title: '',
    description: 7,
    list: 'today',
    projectId: 'x',
    sectionId: 'x',
    dueDate: '2026-02-30',
    deadlineDate: 'tomorrow',
    reminderTime: '25:00',
    recurrence: { frequency: 'hourly' },
    checklist: [{}],
    colour: 'red',
  });
  expectInvalid(t, answer, [
    'title',
    'description',
    'list',
    'projectId',
    'sectionId',
    'dueDate',
    'deadlineDate',
    'reminderTime',
    'recurrence',
    'checklist',
    'colour',
  ]);
});

test('the start date may lie after the deadline', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api, { dueDate: '2026-12-02', deadlineDate: '2026-12-01' });
  t.like(await readTask(api, task.id), { dueDate: '2026-12-02', deadlineDate: '2026-12-01' });
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

test('reminders and repeats are free', async (t) => {
  const api = await stack.newClient({ plan: 'free' });
  const task = await makeTask(api, {
    dueDate: '2026-11-24',
    reminderTime: '09:30',
    recurrence: { frequency: 'daily' },
  });
  t.is((await patchTask(api, task.id, { reminderTime: '10:30' })).reminderTime, '10:30');
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

test('notes of blanks are notes', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { description: ' \n ' });
  t.is((await readTask(api, task.id)).description, ' \n ');
});

test('notes keep every byte of their Markdown, and their rendering follows them', async (t) => {
  const api = await stack.newClient();
  const description = '# Plan\r\n\r\n*one*  \r\n\ttwo <b>&nbsp;</b>\n\n\n- [ ] three\n';
  const task = await makeTask(api, { description });
  t.is(task.description, description);
  t.true(task.descriptionHtml.includes('Plan'));
  const patched = await patchTask(api, task.id, { description: 'Another thing' });
  t.true(patched.descriptionHtml.includes('Another thing'));
  t.false(patched.descriptionHtml.includes('Plan'));
  t.deepEqual(await readTask(api, task.id), patched);
});
