import test from 'ava';
import { makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTitles, patchTask, readTask, transition } from './task-requests.ts';

const stack = await startStack(test, { own: true });

/** A closed task whose closing lies at that moment. */
async function makeClosedTask(api: AccountClient, title: string, closedAt: string): Promise<string> {
  const { id } = await makeTask(api, { title });
  const isCancelled = title.includes('cancelled');
  await transition(api, id, isCancelled ? 'cancel' : 'complete');
  await (isCancelled
    ? stack.sql`update tasks.task set cancelled_at = ${closedAt} where id = ${id}`
    : stack.sql`update tasks.task set completed_at = ${closedAt} where id = ${id}`);
  return id;
}

/** Each row: the account's zone, now, and the start of the local day 14 days ago. */
const windows: [timezone: string, now: string, start: string][] = [
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-06T00:00:00Z'],
  ['UTC', '2026-11-20T23:59:59Z', '2026-11-06T00:00:00Z'],
  ['Europe/Berlin', '2026-11-20T12:00:00Z', '2026-11-05T23:00:00Z'],
  ['Europe/Berlin', '2026-11-03T12:00:00Z', '2026-10-19T22:00:00Z'],
  ['Pacific/Kiritimati', '2026-11-20T12:00:00Z', '2026-11-06T10:00:00Z'],
  ['Etc/GMT+12', '2026-11-20T11:00:00Z', '2026-11-05T12:00:00Z'],
  ['America/Santiago', '2026-09-20T12:00:00Z', '2026-09-06T04:00:00Z'],
];

for (const [timezone, now, start] of windows) {
  test.serial(`the free logbook in ${timezone} at ${now} begins at ${start}`, async (t) => {
    stack.clock.set(now);
    const api = await stack.newClient({ timezone });
    const before = new Date(Date.parse(start) - 1).toISOString();
    await makeClosedTask(api, 'completed before', before);
    await makeClosedTask(api, 'cancelled before', before);
    await makeClosedTask(api, 'completed at the start', start);
    await makeClosedTask(api, 'cancelled a second later', new Date(Date.parse(start) + 1_000).toISOString());
    const visible = ['cancelled a second later', 'completed at the start'];
    t.deepEqual(await listTitles(api, 'view=logbook'), visible);
    await stack.setPlan(api.account, 'premium');
    t.deepEqual(
      (await listTitles(api, 'view=logbook')).toSorted(),
      [...visible, 'cancelled before', 'completed before'].sort(),
    );
  });
}

test.serial('the window moves with the day, not with the hour', async (t) => {
  const api = await stack.newClient();
  await makeClosedTask(api, 'old', '2026-11-06T00:00:00Z');
  stack.clock.set('2026-11-20T23:59:59.999Z');
  t.deepEqual(await listTitles(api, 'view=logbook'), ['old']);
  stack.clock.set('2026-11-21T00:00:00Z');
  t.deepEqual(await listTitles(api, 'view=logbook'), []);
});

test.serial('beyond the window a task is out of view=logbook alone', async (t) => {
  stack.clock.set('2026-11-20T12:00:00Z');
  const api = await stack.newClient();
  const id = await makeClosedTask(api, 'old', '2026-01-01T00:00:00Z');
  const task = await readTask(api, id);
  t.like(task, { inLogbook: true, completedAt: '2026-01-01T00:00:00.000Z' });
  const since = `updatedSince=${task.updatedAt}`;
  for (const query of ['', 'view=all', 'status=completed', since, `view=all&${since}`]) {
    t.deepEqual(await listTitles(api, query), ['old'], query);
  }
  for (const query of ['view=logbook', 'view=logbook&status=completed', `view=logbook&${since}`]) {
    t.deepEqual(await listTitles(api, query), [], query);
  }
  t.is((await patchTask(api, id, { title: 'found' })).title, 'found');
});
