import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { errorsOf, expectInvalid } from './expect-refusal.ts';
import { listTitles, readTask } from './task-requests.ts';

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

test('null is refused where nothing can be empty', async (t) => {
  const api = await stack.newClient();
  for (const field of ['title', 'list', 'projectId']) {
    expectInvalid(t, await api.post('/tasks', { title: 'Task', [field]: null }), [field]);
  }
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

test('identifiers may be sent in capitals and are answered in small letters', async (t) => {
  const api = await stack.newClient();
  const project = await makeProject(api);
  const section = await makeSection(api, project.id);
  const task = await makeTask(api, {
    projectId: project.id.toUpperCase(),
    sectionId: section.id.toUpperCase(),
  });
  t.like(task, { projectId: project.id, sectionId: section.id });
  t.deepEqual(await readTask(api, task.id.toUpperCase()), task);
});

test('an id that is no UUID is refused under its field', async (t) => {
  const api = await stack.newClient();
  const plain = '0d5f3c5e6f0b4c399a530b8b1a6d1c11';
  for (const field of ['projectId', 'sectionId']) {
    for (const id of ['', 'nonsense', plain, '{0d5f3c5e-6f0b-4c39-9a53-0b8b1a6d1c11}', 7, {}]) {
      const answer = await api.post('/tasks', { title: 'Task', [field]: id });
      expectInvalid(t, answer, [field], JSON.stringify(id));
    }
  }
});

test('a field that is not part of the body is refused under its own name, whatever the name', async (t) => {
  const api = await stack.newClient();
  const names = [
    'id',
    'status',
    'descriptionHtml',
    'inTrash',
    'inLogbook',
    'completedAt',
    'createdAt',
    'updatedAt',
    'rank',
    'Title',
    'due_date',
    'a.b',
    'checklist[0]',
    'constructor',
    'toString',
    'hasOwnProperty',
    '__proto__',
  ];
  for (const name of names) {
    const answer = await api.post('/tasks', `{"title": "Task", ${JSON.stringify(name)}: "x"}`);
    expectInvalid(t, answer, [name], name);
  }
  t.deepEqual(await listTitles(api), []);
});

test('unknown fields inside checklist items and recurrence are refused under the field they are in', async (t) => {
  const api = await stack.newClient();
  for (const key of ['extra', '__proto__', 'constructor', 'a.b']) {
    const member = `${JSON.stringify(key)}: 1`;
    const recurring = `{"title": "Task", "recurrence": {"frequency": "daily", ${member}}}`;
    expectInvalid(t, await api.post('/tasks', recurring), ['recurrence'], key);
    const listing = `{"title": "Task", "checklist": [{"title": "Item"}, {"title": "Item", ${member}}]}`;
    expectInvalid(t, await api.post('/tasks', listing), ['checklist'], key);
  }
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

test('a message says what is wrong without repeating what was sent', async (t) => {
  const api = await stack.newClient();
  const secret = 'private-words';
  for (const field of ['title', 'list', 'dueDate', 'recurrence', 'checklist', 'reminderTime', 'projectId']) {
    const sent = field === 'title' ? [secret] : secret;
    const { body } = await api.post('/tasks', { title: 'Task', [field]: sent });
    t.false(JSON.stringify(errorsOf(body)).includes(secret), field);
  }
});

test('a body that is no JSON object is refused', async (t) => {
  const api = await stack.newClient();
  for (const body of ['[]', '"title"', '7', 'null', '{"title": "Task"', '{"title": "Task"} {}', ' ']) {
    expectInvalid(t, await api.post('/tasks', body), ['body'], body);
  }
});

test('a body must be sent, and it must hold a title', async (t) => {
  const api = await stack.newClient();
  expectInvalid(t, await api.post('/tasks'), ['body']);
  expectInvalid(t, await api.post('/tasks', {}), ['title']);
});

test('JSON is the only media type of a new task', async (t) => {
  const api = await stack.newClient();
  for (const type of [
    '',
    'text/plain',
    'application/merge-patch+json',
    'application/x-www-form-urlencoded',
  ]) {
    const answer = await api.post('/tasks', '{"title": "Task"}', { headers: { 'Content-Type': type } });
    t.is(answer.status, 415, type);
  }
  const charset = { headers: { 'Content-Type': 'Application/JSON; charset=UTF-8' } };
  t.is((await api.post('/tasks', '{"title": "Task"}', charset)).status, 201);
});
