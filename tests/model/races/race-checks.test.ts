import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { walkFaults } from './long-walk.ts';
import { mirrorFaults } from './mirror-faults.ts';
import { lostFields } from './project-races.ts';
import { mostInAWindow } from './rate-windows.ts';
import { completionFaults } from './repeating-completions.ts';

/* What judges a race is given races that went wrong. */

const task = (fields: Partial<Task>) => fields as Task;
const open = task({ id: 'a', status: 'open', dueDate: '2199-01-03' });
const logged = (id: string, dueDate: string) => task({ id, status: 'completed', dueDate });
const right = [open, logged('b', '2199-01-01'), logged('c', '2199-01-02')];

test('two completions that log two days in a row and leave one task open are right', (t) => {
  t.deepEqual(completionFaults('a', [200, 200], right), []);
});

for (const [what, statuses, tasks] of [
  ['a refused completion', [200, 409], right],
  ['an occurrence logged twice', [200, 200], [open, logged('b', '2199-01-01'), logged('c', '2199-01-01')]],
  ['a missing occurrence', [200, 200], right.slice(0, 2)],
  ['a second open task', [200, 200], [...right, { ...open, id: 'd' }]],
  ['a task that rolled once for two', [200, 200], [{ ...open, dueDate: '2199-01-02' }, ...right.slice(1)]],
] as const) {
  test(`${what} is noticed`, (t) => {
    t.is(completionFaults('a', statuses, tasks).length, 1);
  });
}

test('a lost patch is named', (t) => {
  const stored = task({ title: 'Patched', description: null, checklist: [] });
  t.deepEqual(lostFields({ title: 'Patched' }, stored), []);
  t.deepEqual(lostFields({ description: 'notes', checklist: [{ title: 'Item' }] }, stored), [
    'the patch of description was lost',
    'the patch of checklist was lost',
  ]);
});

test('tasks that a walk missed or showed twice are counted, those that came and went are not', (t) => {
  t.deepEqual(walkFaults(['a', 'b', 'c'], ['a', 'b', 'x', 'b', 'x']), { missed: 1, repeated: 1 });
});

test('what a copy lacks, has too many or has otherwise is counted', (t) => {
  const [one, two, three] = [task({ id: 'a' }), task({ id: 'b', title: 'Old' }), task({ id: 'c' })];
  t.is(mirrorFaults([one, two], [one, two]), 0);
  t.is(mirrorFaults([one, two], [one, task({ id: 'b', title: 'New' }), three]), 2);
  t.is(mirrorFaults([one, two], [one]), 1);
});

test('a window is as full as its fullest, wherever it begins', (t) => {
  const at = (sentAt: number) => ({ sentAt, answeredAt: sentAt + 1 });
  const atTheEdge = [...Array(120).keys()].flatMap((index) => [at(59_000 + index), at(60_500 + index)]);
  t.is(mostInAWindow(atTheEdge), 240);
  t.is(mostInAWindow([...Array(120).keys()].flatMap((index) => [at(index), at(60_200 + index)])), 120);
  t.is(mostInAWindow([]), 0);
});
