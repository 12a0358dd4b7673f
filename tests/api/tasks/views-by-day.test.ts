import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { listTasks, listTitles, readTask } from './task-requests.ts';

const stack = await startStack(test, { own: true });

async function makeDatedTasks(api: AccountClient, dates: readonly string[]): Promise<Task[]> {
  const tasks: Task[] = [];
  for (const dueDate of dates) tasks.push(await makeTask(api, { title: dueDate, dueDate }));
  return tasks;
}

/** Each row: a moment, and the date it has in the zone. */
const moments: [timezone: string, moment: string, today: string][] = [
  ['UTC', '2026-11-20T00:00:00Z', '2026-11-20'],
  ['UTC', '2026-11-20T23:59:59.999Z', '2026-11-20'],
  ['Pacific/Kiritimati', '2026-11-20T09:59:59.999Z', '2026-11-20'],
  ['Pacific/Kiritimati', '2026-11-20T10:00:00Z', '2026-11-21'],
  ['Etc/GMT+12', '2026-11-20T11:59:59.999Z', '2026-11-19'],
  ['Etc/GMT+12', '2026-11-20T12:00:00Z', '2026-11-20'],
  ['Asia/Kathmandu', '2026-11-20T18:14:59.999Z', '2026-11-20'],
  ['Asia/Kathmandu', '2026-11-20T18:15:00Z', '2026-11-21'],
  ['Europe/Berlin', '2026-03-28T22:59:59.999Z', '2026-03-28'],
  ['Europe/Berlin', '2026-03-28T23:00:00Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T21:59:59.999Z', '2026-03-29'],
  ['Europe/Berlin', '2026-03-29T22:00:00Z', '2026-03-30'],
  ['Europe/Berlin', '2026-10-25T22:59:59.999Z', '2026-10-25'],
  ['Europe/Berlin', '2026-10-25T23:00:00Z', '2026-10-26'],
  ['America/Santiago', '2026-09-06T03:59:59.999Z', '2026-09-05'],
  ['America/Santiago', '2026-09-06T04:00:00Z', '2026-09-06'],
];

for (const [timezone, moment, today] of moments) {
  test.serial(`at ${moment} it is ${today} in ${timezone}`, async (t) => {
    const api = await stack.newClient({ timezone });
    const day = Temporal.PlainDate.from(today);
    const yesterday = day.subtract({ days: 1 }).toString();
    const tomorrow = day.add({ days: 1 }).toString();
    await makeDatedTasks(api, [tomorrow, today, yesterday]);
    stack.clock.set(moment);
    t.deepEqual(await listTitles(api, 'view=today'), [yesterday, today]);
    t.deepEqual(await listTitles(api, 'view=upcoming'), [tomorrow]);
    t.deepEqual(await listTitles(api, 'view=anytime'), [today, yesterday]);
    t.deepEqual(await listTitles(api, 'view=someday'), [yesterday, today, tomorrow]);
  });
}

test.serial(
  'a date that arrives is no change: the task is listed elsewhere and stays as it is',
  async (t) => {
    const api = await stack.newClient({ timezone: 'Europe/Berlin' });
    stack.clock.set('2026-11-20T22:59:59Z');
    const [task] = await makeDatedTasks(api, ['2026-11-21']);
    const id = task?.id ?? '';
    t.deepEqual(
      [await listTitles(api, 'view=today'), await listTitles(api, 'view=upcoming')],
      [[], ['2026-11-21']],
    );
    stack.clock.advance(1_000);
    t.deepEqual(
      [await listTitles(api, 'view=today'), await listTitles(api, 'view=upcoming')],
      [['2026-11-21'], []],
    );
    t.deepEqual(await readTask(api, id), task);
    const after = new Date(Date.parse(task?.updatedAt ?? '') + 1).toISOString();
    t.deepEqual(await listTasks(api, `view=all&updatedSince=${after}`), []);
  },
);

test.serial(
  'an account that changes its timezone has another today, and its dates do not move',
  async (t) => {
    const api = await stack.newClient({ timezone: 'Etc/GMT+12' });
    stack.clock.set('2026-11-20T11:00:00Z');
    await makeDatedTasks(api, ['2026-11-21', '2026-11-20', '2026-11-19']);
    t.deepEqual(await listTitles(api, 'view=today'), ['2026-11-19']);
    await stack.sql`update auth.account set timezone = 'Pacific/Kiritimati' where id = ${api.account.accountId}`;
    t.deepEqual(await listTitles(api, 'view=today'), ['2026-11-19', '2026-11-20', '2026-11-21']);
  },
);
