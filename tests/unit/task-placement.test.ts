import test from 'ava';
import { listFor, readDestination, requireDateForReminder } from '#resource-api/tasks/task-placement.ts';
import { AppError } from '#shared/errors/app-error.ts';

const project = '5A1D0F5C-5D0E-4A2C-8F0E-2D3A5B7C9E01';
const section = '3F0A1C52-3C5E-4D0E-8A6B-5F9A1E2D7C31';
const [projectId, sectionId] = [project.toLowerCase(), section.toLowerCase()];

for (const [input, destination] of [
  [{}, { kind: 'list', list: undefined }],
  [{ list: 'inbox' }, { kind: 'list', list: 'inbox' }],
  [{ list: 'someday' }, { kind: 'list', list: 'someday' }],
  [
    { list: 'someday', sectionId: null },
    { kind: 'list', list: 'someday' },
  ],
  [{ sectionId: null }, { kind: 'list', list: undefined }],
  [{ projectId: project }, { kind: 'project', projectId, sectionId: undefined }],
  [
    { projectId: project, sectionId: null },
    { kind: 'project', projectId, sectionId: undefined },
  ],
  [{ sectionId: section }, { kind: 'project', projectId: undefined, sectionId }],
  [
    { list: 'project', projectId: project, sectionId: section },
    { kind: 'project', projectId, sectionId },
  ],
] as const) {
  test(`a destination is read: ${JSON.stringify(input)}`, (t) => {
    t.deepEqual<unknown, unknown>(readDestination(input), destination);
  });
}

for (const input of [
  { list: 'project' },
  { list: 'project', sectionId: null },
  { list: 'inbox', projectId: project },
  { list: 'someday', sectionId: section },
  { list: 'inbox', projectId: project, sectionId: section },
] as const) {
  test(`a destination contradicts itself: ${JSON.stringify(input)}`, (t) => {
    const error = t.throws(() => readDestination(input), { instanceOf: AppError });
    t.is(error?.code, 'validation_error');
    t.deepEqual(Object.keys(error?.errors ?? {}), ['list']);
  });
}

test('any date keeps a task out of the inbox; without one it goes where it is wanted, else to the inbox', (t) => {
  const [dueDate, deadlineDate] = ['2026-11-24', '2026-12-01'];
  for (const wanted of ['inbox', 'someday', undefined] as const) {
    t.is(listFor(wanted, { dueDate, deadlineDate: null }), 'someday');
    t.is(listFor(wanted, { dueDate: null, deadlineDate }), 'someday');
    t.is(listFor(wanted, { dueDate, deadlineDate }), 'someday');
    t.is(listFor(wanted, { dueDate: null, deadlineDate: null }), wanted ?? 'inbox');
  }
});

test('a reminder needs a start date', (t) => {
  t.notThrows(() => requireDateForReminder('2026-11-24', '09:30'));
  t.notThrows(() => requireDateForReminder('2026-11-24', null));
  t.notThrows(() => requireDateForReminder(null, null));
  const error = t.throws(() => requireDateForReminder(null, '09:30'), { instanceOf: AppError });
  t.deepEqual(Object.keys(error?.errors ?? {}), ['reminderTime']);
});
