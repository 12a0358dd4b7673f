import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { expectInvalid } from './expect-refusal.ts';
import { patchTask, readTask } from './task-requests.ts';

const stack = await startStack(test);

const dateFields = ['dueDate', 'deadlineDate'] as const;

const dates = [
  '0001-01-01',
  '0099-12-31',
  '1582-10-10',
  '1900-02-28',
  '2000-02-29',
  '2026-02-28',
  '2026-11-21',
  '2028-02-29',
  '9999-12-31',
];

const noDates = [
  '',
  'infinity',
  '-infinity',
  'today',
  'tomorrow',
  'now',
  'epoch',
  '20260101',
  '2026-1-1',
  '26-01-01',
  '01.02.2026',
  '2026-02-30',
  '2026-02-29',
  '1900-02-29',
  '2026-04-31',
  '2026-13-01',
  '2026-00-10',
  '2026-01-00',
  '2026-01-32',
  '0000-01-01',
  '10000-01-01',
  '+010000-01-01',
  '-0001-01-01',
  '2026-01-01T00:00:00Z',
  '2026-01-01 ',
  ' 2026-01-01',
  '2026-01-01\n',
  '2026/01/01',
  '2026-W01-1',
  '2026-001',
  '٢٠٢٦-٠١-٠١',
  20260101,
  1795219200000,
  true,
  ['2026-01-01'],
  { year: 2026, month: 1, day: 1 },
];

for (const field of dateFields) {
  test(`${field} keeps any day of the years 1 to 9999`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    for (const date of dates) {
      const { status, body } = await api.post<Task>('/tasks', { title: 'Task', [field]: date });
      t.is(status, 201, date);
      t.is(body[field], date);
      t.is((await readTask(api, body.id))[field], date);
    }
  });

  test(`${field} is refused in any other spelling and on a day the calendar does not have`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const task = await makeTask(api, { [field]: '2026-11-21' });
    for (const value of noDates) {
      const what = JSON.stringify(value);
      expectInvalid(t, await api.post('/tasks', { title: 'Task', [field]: value }), [field], what);
      expectInvalid(t, await api.patch(`/tasks/${task.id}`, { [field]: value }), [field], what);
    }
    t.deepEqual(await readTask(api, task.id), task);
  });
}

test('the start date may lie after the deadline', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const task = await makeTask(api, { dueDate: '2026-12-02', deadlineDate: '2026-12-01' });
  t.like(await readTask(api, task.id), { dueDate: '2026-12-02', deadlineDate: '2026-12-01' });
});

test('a reminder is HH:mm on a 24-hour clock', async (t) => {
  const api = await stack.newClient();
  for (const reminderTime of ['00:00', '00:01', '09:30', '12:00', '19:59', '20:00', '23:59']) {
    const task = await makeTask(api, { dueDate: '2026-11-24', reminderTime });
    t.is((await readTask(api, task.id)).reminderTime, reminderTime);
  }
});

test('a reminder in any other spelling is refused', async (t) => {
  const api = await stack.newClient();
  const task = await makeTask(api, { dueDate: '2026-11-24', reminderTime: '09:30' });
  for (const reminderTime of [
    '',
    '24:00',
    '23:60',
    '9:30',
    '0930',
    '09:30:00',
    '09:30 ',
    '09:30\n',
    '9:30 AM',
    '09.30',
    '09:30Z',
    '-1:00',
    '2026-11-24T09:30',
    930,
    9.5,
    true,
    ['09:30'],
  ]) {
    const what = JSON.stringify(reminderTime);
    const created = await api.post('/tasks', { title: 'Task', dueDate: '2026-11-24', reminderTime });
    expectInvalid(t, created, ['reminderTime'], what);
    expectInvalid(t, await api.patch(`/tasks/${task.id}`, { reminderTime }), ['reminderTime'], what);
  }
  t.deepEqual(await readTask(api, task.id), task);
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
