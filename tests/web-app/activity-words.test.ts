import test from 'ava';
import type { ActivityChange, ActivityEntry, AppActor } from '#shared/app/app-protocol.ts';
import { describeEntry } from '#web-app/records/describe-entry.ts';
import { describeChecklist, formatValue, saidFields } from '#web-app/records/field-values.ts';
import { Rows } from '#web-app/store/rows.ts';
import { quotedTitle } from '#web-app/words/quoted-title.ts';

const claude: AppActor = { kind: 'app', id: 'grant', name: 'Claude' };
const stamp = '2026-11-23T09:00:00.000Z';
let lastId = 0;

type Part = Partial<ActivityChange>;

function entryOf(parts: readonly Part[], undo: { isUndo?: boolean; isRedo?: boolean } = {}): ActivityEntry {
  const changes = parts.map((part): ActivityChange => {
    lastId += 1;
    return {
      stamp,
      entity: 'task',
      id: String(lastId),
      title: 'Pack',
      change: 'updated',
      fields: [],
      isUndone: false,
      isPartlyUndone: false,
      ...part,
    };
  });
  return {
    actor: claude,
    from: stamp,
    to: stamp,
    stamps: [stamp],
    isUndo: false,
    isRedo: false,
    leftOut: {},
    ...undo,
    changes,
  };
}

const set = (field: string, after: unknown, before: unknown = null): Part => ({
  fields: [{ field, before, after }],
});
const created: Part = { change: 'created' };

const entries: [string, Part[]][] = [
  ['added 2 tasks and planned 1', [created, created, set('dueDate', '2026-11-24')]],
  [
    'added 2 tasks, planned 1 and set a deadline',
    [created, set('dueDate', '2026-11-24'), created, set('deadlineDate', '2026-12-07')],
  ],
  ['moved 3 tasks to the Trash', [set('inTrash', true), set('inTrash', true), set('inTrash', true)]],
  ['restored 1 task and removed the date of 1', [set('inTrash', false), set('dueDate', null, '2026-11-24')]],
  [
    'completed 1 project and 1 task',
    [{ entity: 'project', ...set('status', 'completed') }, set('status', 'completed', 'open')],
  ],
  ['reopened 1 task and renamed 1', [set('status', 'open', 'completed'), set('title', 'New', 'Old')]],
  [
    'started 1 project and added 1 section',
    [
      { ...created, entity: 'project' },
      { ...created, entity: 'section' },
    ],
  ],
  ['deleted 1 area', [{ change: 'deleted', entity: 'area' }]],
  [
    'moved 1 task',
    [{ fields: [...(set('list', 'project').fields ?? []), ...(set('projectId', 'p').fields ?? [])] }],
  ],
  ['reordered 1 task', [set('dayRank', 5)]],
  ['planned 1 task and moved 1 to another day', [set('dueDate', 'x'), set('dueDate', 'y', 'x')]],
  [
    'reopened 1 project and moved 1 project and 2 tasks to the Trash',
    [
      { entity: 'project', ...set('status', 'active', 'completed') },
      { entity: 'project', ...set('inTrash', true) },
      set('inTrash', true),
      set('inTrash', true),
    ],
  ],
];

for (const [words, changes] of entries) {
  test(`an entry says: ${words}`, (t) => t.is(describeEntry(entryOf(changes)), words));
}

test('a task that was changed twice is counted once, and a change by its weightiest field', (t) => {
  const both = {
    id: 'one',
    fields: [...(set('title', 'b').fields ?? []), ...(set('dueDate', 'x').fields ?? [])],
  };
  t.is(describeEntry(entryOf([both, { ...set('dueDate', 'y'), id: 'one' }])), 'planned 1 task');
});

test('an undo and the history of one record say so', (t) => {
  const trashed = [set('inTrash', true)];
  t.is(describeEntry(entryOf(trashed, { isUndo: true })), 'took changes back: moved 1 task to the Trash');
  t.is(
    describeEntry(entryOf(trashed, { isUndo: true, isRedo: true })),
    'put back what was undone: moved 1 task to the Trash',
  );
  const today = '2026-11-24';
  t.is(describeEntry(entryOf([set('deadlineDate', '2026-12-07')]), today), 'set the deadline');
  const moved = entryOf([set('dueDate', '2026-11-25', '2026-11-24')]);
  t.is(describeEntry(moved, today), 'moved it from today to tomorrow');
  const skipped = entryOf([
    { fields: [...(set('status', 'skipped', 'open').fields ?? []), ...(moved.changes[0]?.fields ?? [])] },
  ]);
  t.is(describeEntry(skipped), 'skipped 1 task');
  t.is(describeEntry(skipped, today), 'skipped it from today to tomorrow');
});

/** The first letter is the id; «!»: completed. */
const items = (...texts: string[]) =>
  texts.map((text) => ({ id: text.charAt(0), title: text.replace('!', ''), completed: text.endsWith('!') }));

const checklists: [string, unknown, unknown][] = [
  ['ticked 2 items', items('One', 'Two', 'Six'), items('One!', 'Two!', 'Six')],
  ['added 1 item and unticked 1 item', items('One!'), items('One', 'Two')],
  ['removed 3 items', items('One', 'Two', 'Six'), []],
  ['renamed 1 item', items('Two'), items('Three')],
  ['changed the checklist', items('One', 'Two'), items('Two', 'One')],
  ['changed the checklist', undefined, items('One')],
];

test('a changed checklist is told by what became of its items, where both lists were kept', (t) => {
  for (const [words, before, after] of checklists)
    t.is(describeChecklist({ field: 'checklist', before, after }), words);
});

test('a place that is gone is told in words', (t) => {
  const id = '4da0ecd4-8d74-4f0e-9a54-0c5a3f6d7e11';
  t.is(formatValue('sectionId', id, '2026-11-23', new Rows()), 'one that is gone');
});

test('a long text is not cut within a character', (t) => {
  const letters = 'a'.repeat(79);
  const value = formatValue('title', `${letters}👩‍👩‍👧b`, '2026-11-23', new Rows());
  t.is(value, `${letters}👩‍👩‍👧…`);
  t.is(quotedTitle(`${letters.slice(20)}👩‍👩‍👧b`), `“${letters.slice(20)}👩‍👩‍👧…”`);
});

test('that a task with a date is filed under someday is not told', (t) => {
  for (const date of ['dueDate', 'deadlineDate']) {
    const planned = { field: date, before: null, after: '2026-12-07' };
    t.deepEqual(saidFields([planned, { field: 'list', before: 'inbox', after: 'someday' }]), [planned]);
  }
});

test('a move between the Inbox and a project names both', (t) => {
  const said = (list: [string, string], project: [string | null, string | null]) =>
    saidFields([
      { field: 'list', before: list[0], after: list[1] },
      { field: 'projectId', before: project[0], after: project[1] },
    ]);
  t.deepEqual(said(['inbox', 'project'], [null, 'p']), [{ field: 'projectId', before: 'inbox', after: 'p' }]);
  t.deepEqual(said(['project', 'inbox'], ['p', null]), [{ field: 'projectId', before: 'p', after: 'inbox' }]);
  t.deepEqual(said(['someday', 'project'], [null, 'p']), [{ field: 'projectId', before: null, after: 'p' }]);
});
