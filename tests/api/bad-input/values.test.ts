import test from 'ava';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { answerOf, invalid } from '../matrix/problem-answer.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { startGuardedStack } from './guarded-stack.ts';

const stack = await startGuardedStack(test);

/** Most of these PostgreSQL or JavaScript would read as a date. */
const noDates = [
  'infinity',
  'today',
  'January 8, 1999',
  '20260101',
  '2026-1-1',
  '01/02/2026',
  '2026-W01-1',
  '2026-01',
  '0000-01-01',
  '+2026-01-01',
  '10000-01-01',
  '2026-13-01',
  '2026-02-29',
  '1900-02-29',
  '2026-01-01 ',
  '2026-01-01T00:00:00Z',
  '２０２６-01-01',
  '',
];

test.serial('a date is a real day in the years 0001 to 9999, spelt in one way', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api);
  const project = await makeProject(api);
  for (const date of ['0001-01-01', '9999-12-31', '2024-02-29', '2000-02-29', '1582-10-10']) {
    const { status, body } = await api.post('/tasks', { title: 'x', dueDate: date, deadlineDate: date });
    t.is(status, 201, date);
    t.like(body, { dueDate: date, deadlineDate: date });
  }
  const before = await storedStateOf(stack, api.account);
  for (const date of noDates) {
    for (const field of ['dueDate', 'deadlineDate']) {
      t.deepEqual(answerOf(await api.post('/tasks', { title: 'x', [field]: date })), invalid(field), date);
      t.deepEqual(answerOf(await api.patch(`/tasks/${task.id}`, { [field]: date })), invalid(field), date);
    }
    const deadline = { deadlineDate: date };
    t.deepEqual(answerOf(await api.post('/projects', { title: 'x', ...deadline })), invalid('deadlineDate'));
    t.deepEqual(answerOf(await api.patch(`/projects/${project.id}`, deadline)), invalid('deadlineDate'));
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a time of day has two digits for each of hour and minute', async (t) => {
  const api = await stack.newClient();
  for (const reminderTime of ['00:00', '09:30', '19:59', '23:59']) {
    const { status } = await api.post('/tasks', { title: 'x', dueDate: '2026-11-16', reminderTime });
    t.is(status, 201, reminderTime);
  }
  const before = await storedStateOf(stack, api.account);
  for (const reminderTime of [
    '24:00',
    '23:60',
    '9:30',
    '0930',
    '09:30:00',
    ' 09:30',
    '０９:30',
    'allballs',
    '',
  ]) {
    const answer = await api.post('/tasks', { title: 'x', dueDate: '2026-11-16', reminderTime });
    t.deepEqual(answerOf(answer), invalid('reminderTime'), reminderTime);
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('an id in a body is a UUID with dashes, in any case', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeProject(api);
  for (const projectId of [id, id.toUpperCase()]) {
    const { status, body } = await api.post('/tasks', { title: 'x', projectId });
    t.is(status, 201);
    t.is(body.projectId, id);
  }
  const before = await storedStateOf(stack, api.account);
  for (const projectId of [
    `{${id}}`,
    `urn:uuid:${id}`,
    id.replaceAll('-', ''),
    id.slice(0, -1),
    `${id}0`,
    ` ${id}`,
    `${id}\n`,
    id.replace(/^./, 'g'),
    id.replaceAll('-', '–'),
    `${id}' or 1=1 --`,
    '',
    '0',
  ]) {
    const answer = await api.post('/tasks', { title: 'x', projectId });
    t.deepEqual(answerOf(answer), invalid('projectId'), projectId);
  }
  t.deepEqual(await storedStateOf(stack, api.account), before);
});
