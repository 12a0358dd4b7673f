import test from 'ava';
import { logbookStart, sortOrderOf, taskViews, viewCondition } from '#resource-api/tasks/task-views.ts';

const views = [undefined, ...taskViews] as const;

function valuesOf(view: (typeof views)[number], logbookSince: Date | null): unknown[] {
  const values: unknown[] = [];
  viewCondition(view, '2026-11-20', logbookSince, (value) => `$${values.push(value)}`);
  return values;
}

test('only the logbook has a window, and only when one is given', (t) => {
  const since = new Date('2026-11-06T00:00:00Z');
  for (const view of views) {
    t.is(valuesOf(view, since).includes(since), view === 'logbook', view);
  }
  t.deepEqual(valuesOf('logbook', null), [null]);
});

for (const [filters, order] of [
  [{ view: 'inbox' }, 'rank, id asc'],
  [{ view: 'someday' }, 'rank, id asc'],
  [{ projectId: 'p' }, 'rank, id asc'],
  [{ projectId: 'p', view: 'anytime' }, 'rank, id asc'],
  [{ projectId: 'p', view: 'all' }, 'rank, id asc'],
  [{ view: 'today' }, 'view_date, created_at, id asc'],
  [{ view: 'upcoming', projectId: 'p' }, 'view_date, created_at, id asc'],
  [{ view: 'anytime' }, 'created_at, id asc'],
  [{ view: 'all' }, 'created_at, id asc'],
  [{}, 'created_at, id asc'],
  [{ view: 'logbook' }, 'closed_at, id desc'],
  [{ view: 'logbook', projectId: 'p' }, 'closed_at, id desc'],
  [{ view: 'trash' }, 'trashed_at, id desc'],
] as const) {
  test(`the order of ${JSON.stringify(filters)} is ${order}`, (t) => {
    const { keys, direction } = sortOrderOf(filters);
    t.is(`${keys.map(({ column }) => column).join(', ')} ${direction}`, order);
  });
}

test('with updatedSince every list is in the order of changes', (t) => {
  for (const view of views) {
    for (const projectId of [undefined, 'p']) {
      const { keys, direction } = sortOrderOf({ view, projectId, updatedSince: new Date(0) });
      t.deepEqual([keys.map(({ column }) => column), direction], [['updated_at', 'id'], 'asc']);
    }
  }
});

test('every order ends with the id, which no two tasks share', (t) => {
  for (const view of views) t.is(sortOrderOf({ view }).keys.at(-1)?.column, 'id');
});

for (const [today, timezone, start] of [
  ['2026-11-20', 'UTC', '2026-11-06T00:00:00.000Z'],
  ['2026-11-03', 'Europe/Berlin', '2026-10-19T22:00:00.000Z'],
  ['2026-09-20', 'America/Santiago', '2026-09-06T04:00:00.000Z'],
  ['2026-01-05', 'Pacific/Kiritimati', '2025-12-21T10:00:00.000Z'],
] as const) {
  test(`14 days before ${today} in ${timezone} began at ${start}`, (t) => {
    t.is(logbookStart(today, timezone, 14).toISOString(), start);
  });
}
