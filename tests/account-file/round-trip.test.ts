import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from '../app/web-app-client.ts';
import { liveIn, shownBy } from './lived-in-account.ts';
import { exportFrom, fetchExport, importInto, permit } from './transfer.ts';

const stack = await startStack(test);
const opening = createWebApps(stack);
const today = new Date().toISOString().slice(0, 10);

test('what is exported and imported elsewhere shows the same, in the same orders', async (t) => {
  const source = await (await opening).open({ plan: 'premium' });
  await liveIn(source, today);
  const before = await shownBy(source);
  const file = await exportFrom(stack, source);
  const target = await (await opening).open({ plan: 'premium' });
  const outcome = await importInto(stack, target, file, { partBytes: 1_000 });
  t.is(outcome.phase, 'done', JSON.stringify(outcome.problem));
  t.deepEqual(await shownBy(target), before);
  t.deepEqual(await shownBy(source), before);

  // A new task goes above all imported ones, and a repeating one goes on as it would have.
  const { body: added } = await target.post<{ id: string }>('/tasks', { title: 'On top' });
  const { body: inbox } = await target.get<{ items: { id: string }[] }>('/tasks?view=inbox');
  t.is(inbox.items[0]?.id, added.id);
  const next = async (client: typeof source) => {
    const { body } = await client.get<{ items: { id: string; recurrence: object | null }[] }>('/tasks');
    const id = body.items.find(({ recurrence }) => recurrence !== null)?.id;
    return (await client.post<{ dueDate: string }>(`/tasks/${id}/complete`)).body.dueDate;
  };
  t.is(await next(target), await next(source));
});

test('the file is one JSON document with a record on each line, and imports however it is spaced', async (t) => {
  const source = await (await opening).open({ plan: 'premium' });
  await liveIn(source, today);
  const file = await exportFrom(stack, source);
  const document = JSON.parse(file);
  t.like(document, { format: 'tasks-account', version: 1, account: { email: 'ada@example.com' } });
  t.is(document.counts.tasks, document.tasks.length);
  t.false(file.includes('descriptionHtml'));
  const target = await (await opening).open({ plan: 'premium' });
  t.is((await importInto(stack, target, JSON.stringify(document, null, 3))).phase, 'done');
  const again = JSON.parse(await exportFrom(stack, target));
  const withoutStamps = (records: object[]) => records.map((record) => ({ ...record, updatedAt: undefined }));
  t.deepEqual(withoutStamps(again.tasks), withoutStamps(document.tasks));
});

test('every column of what people write is in the file, or named as left out', async (t) => {
  const source = await (await opening).open({ plan: 'premium' });
  await liveIn(source, today);
  const { areas, projects, tasks } = JSON.parse(await exportFrom(stack, source));
  const written = { area: areas[0], project: projects[0], task: tasks[0] };
  const leftOut = [
    'account_id',
    'rank',
    'day_rank',
    'description_html',
    'renderer_version',
    'view_date',
    'closed_at',
  ];
  for (const [table, record] of Object.entries(written)) {
    const columns = await stack.sql<{
      name: string;
    }>`select column_name as name from information_schema.columns
      where table_schema = 'tasks' and table_name = ${table}`;
    const names = columns.map(({ name }) => name).filter((name) => !leftOut.includes(name));
    const camel = names.map((name) => name.replace(/_(\w)/g, (_, letter: string) => letter.toUpperCase()));
    t.deepEqual(
      camel.filter((name) => !Object.hasOwn(record, name)),
      [],
      table,
    );
  }
});

test('a file is given only after the settings have seen a fresh sign-in, and one at a time', async (t) => {
  const source = await (await opening).open();
  t.is((await fetchExport(stack, source)).status, 403);
  await permit(stack, source);
  const [lock] = await stack.sql<{ taken: boolean }>`
    select pg_try_advisory_lock(hashtextextended('export ' || ${source.account.accountId}, 0)) as taken`;
  t.true(lock?.taken);
  t.teardown(() => stack.sql`select pg_advisory_unlock_all()`);
  t.is((await fetchExport(stack, source)).status, 409);
});
