import test from 'ava';
import { idsOf, walkPages } from '#tests/api/projects/walk-pages.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTitles, transition } from './task-requests.ts';

const stack = await startStack(test, { own: true });

const beforeMidnight = '2026-11-20T22:59:59Z';
const midnight = '2026-11-20T23:00:00Z';

async function titlesWalkedOverMidnight(api: AccountClient, view: string): Promise<string[]> {
  stack.clock.set(beforeMidnight);
  const pages = await walkPages<Task>(api, '/tasks', { view, limit: '1' }, async () =>
    stack.clock.set(midnight),
  );
  return pages.flatMap(({ items }) => items.map(({ title }) => title));
}

test.serial('a walk over midnight stays the list of the day it began on', async (t) => {
  const api = await stack.newClient({ timezone: 'Europe/Berlin' });
  for (const dueDate of ['2026-11-19', '2026-11-20', '2026-11-21', '2026-11-22']) {
    await makeTask(api, { title: dueDate, dueDate });
  }
  for (const [view, asOfThe20th, asOfThe21st] of [
    ['today', ['2026-11-19', '2026-11-20'], ['2026-11-19', '2026-11-20', '2026-11-21']],
    ['upcoming', ['2026-11-21', '2026-11-22'], ['2026-11-22']],
    ['anytime', ['2026-11-19', '2026-11-20'], ['2026-11-19', '2026-11-20', '2026-11-21']],
  ] as const) {
    t.deepEqual(await titlesWalkedOverMidnight(api, view), [...asOfThe20th], view);
    t.deepEqual(await listTitles(api, `view=${view}`), [...asOfThe21st], view);
  }
});

test.serial('the free logbook of a walk over midnight keeps its first day', async (t) => {
  const api = await stack.newClient({ timezone: 'Europe/Berlin' });
  const tasks: Task[] = [];
  for (const [title, completedAt] of [
    ['old', '2026-11-06T08:00:00Z'],
    ['older', '2026-11-06T07:00:00Z'],
    ['oldest', '2026-11-05T23:00:00Z'],
    ['too old', '2026-11-05T22:59:59Z'],
  ]) {
    const task = await makeTask(api, { title });
    await transition(api, task.id, 'complete');
    await stack.sql`update tasks.task set completed_at = ${completedAt} where id = ${task.id}`;
    tasks.push(task);
  }
  t.deepEqual(await titlesWalkedOverMidnight(api, 'logbook'), ['old', 'older', 'oldest']);
  t.deepEqual(await listTitles(api, 'view=logbook'), []);
});

test.serial('a page that was fetched days ago is followed by its own next one', async (t) => {
  const api = await stack.newClient();
  stack.clock.set('2026-11-20T12:00:00Z');
  const tasks: Task[] = [];
  for (const dueDate of ['2026-11-18', '2026-11-19', '2026-11-21']) {
    tasks.push(await makeTask(api, { dueDate }));
  }
  const pages = await walkPages<Task>(api, '/tasks', { view: 'today', limit: '1' }, async () =>
    stack.clock.advance(30 * 24 * 3_600_000),
  );
  t.deepEqual(
    idsOf(pages),
    tasks.slice(0, 2).map(({ id }) => id),
  );
});
