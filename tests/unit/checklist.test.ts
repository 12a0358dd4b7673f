import test from 'ava';
import { type ChecklistItem, replaceChecklist, untick } from '#resource-api/tasks/checklist.ts';

const ids = ['0d5f3c5e-6f0b-4c39-9a53-0b8b1a6d1c11', '7be0a9b4-6a57-4b0e-9a55-3d1f8f4b2a10'] as const;
const current: readonly ChecklistItem[] = [
  { id: ids[0], title: 'a', completed: true },
  { id: ids[1], title: 'b', completed: false },
];

test('the list that is sent replaces the one before as a whole, in its order', (t) => {
  t.deepEqual(replaceChecklist(current, []), []);
  t.deepEqual(
    replaceChecklist(current, [
      { id: ids[1], title: 'b' },
      { id: ids[0], title: 'a', completed: true },
    ]),
    current.toReversed(),
  );
});

test('an item without an id, or with one the task does not know, gets an id of its own', (t) => {
  const items = replaceChecklist(current, [{ title: 'a' }, { id: 'x', title: 'a' }, { id: '', title: 'a' }]);
  t.is(new Set(items.map(({ id }) => id)).size, 3);
  for (const { id } of items) {
    t.regex(id, /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
    t.false((ids as readonly string[]).includes(id));
  }
});

test('a known id is known in capitals, and once only', (t) => {
  const [first, second] = replaceChecklist(current, [
    { id: ids[0].toUpperCase(), title: 'first' },
    { id: ids[0], title: 'second' },
  ]);
  t.deepEqual(first, { id: ids[0], title: 'first', completed: false });
  t.not(second?.id, ids[0]);
});

test('names that every object has are no known ids', (t) => {
  for (const id of ['__proto__', 'constructor', 'toString']) {
    t.not(replaceChecklist(current, [{ id, title: 'a' }])[0]?.id, id);
  }
});

test('unticking keeps ids, titles and order, and leaves the list it was given', (t) => {
  t.deepEqual(
    untick(current),
    current.map(({ id, title }) => ({ id, title, completed: false })),
  );
  t.true(current[0]?.completed);
});
