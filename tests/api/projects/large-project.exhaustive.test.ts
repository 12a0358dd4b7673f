import test from 'ava';
import { showFeed } from '#resource-api/admin/data-admin.ts';
import type { UndoResponse } from '#shared/app/app-protocol.ts';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { Project } from '#tests/support/api-types.ts';
import { insertTasks, makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const environment = { DATABASE_WAIT_MILLISECONDS: '4000' };

test('completing a project may exceed a request’s database timeout, and blocks no others', async (t) => {
  const taskCount = 4_500;
  const stack = await startStack(t, { environment });
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  const { accountId } = client.account;
  const { id } = await makeProject(client);
  await insertTasks(stack, client.account, taskCount, { projectId: id });
  // A database that needs half a second for each batch: together more than a request's 4 s.
  await stack.sql`create function tasks.take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(0.5); return null; end $$`;
  await stack.sql`create trigger take_time before update on tasks.task
    execute function tasks.take_time()`;

  let isCompleted = false;
  const completion = client.post(`/projects/${id}/complete`, { completeChildTasks: true }).finally(() => {
    isCompleted = true;
  });
  await waitFor(() =>
    stack.sql`select from pg_locks where locktype = 'relation' and mode = 'RowExclusiveLock'
    and relation = 'tasks.task'::regclass
    and database = (select oid from pg_database where datname = current_database())`.then(
      ({ length }) => length,
    ),
  );
  t.is((await other.post('/tasks', { title: 'Buy milk' })).status, 201);
  t.false(isCompleted);
  t.is((await completion).status, 200);

  const changes = await stack.sql`select count(*)::int, status from tasks.task
    where account_id = ${accountId} group by status, updated_at`;
  t.deepEqual(changes, [{ count: taskCount, status: 'completed' }]);
  const feed = (await showFeed(stack.databaseUrl, { accountId, since: 1 })).map(({ seq }) => seq);
  t.deepEqual(
    feed,
    Array.from({ length: taskCount + 1 }, (_, index) => index + 2),
  );
});

test('thousands of changes are undone though one statement exceeds a request’s timeout', async (t) => {
  const taskCount = 5_000;
  const stack = await startStack(t, { environment });
  const browser = await (await createWebApps(stack)).open();
  const { id } = await makeProject(browser);
  await insertTasks(stack, browser.account, taskCount, { projectId: id });
  const { body: completed } = await browser.post<Project>(`/projects/${id}/complete`);
  await stack.sql`create function tasks.take_time() returns trigger language plpgsql as
    $$ begin perform pg_sleep(3); return null; end $$`;
  await stack.sql`create trigger take_time after update on tasks.change_history
    execute function tasks.take_time()`;
  const { status, body } = await browser.app.post<UndoResponse>('/undo', { stamps: [completed.updatedAt] });
  t.is(status, 200);
  t.like(body, { undone: taskCount + 1, kept: [] });
});

test('a large project is completed in batches, also before the table has statistics', async (t) => {
  const stack = await startStack(t, { environment });
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  await makeTask(other);
  await stack.sql`analyze tasks.task`;
  const { id } = await makeProject(client);
  await insertTasks(stack, client.account, 5_000, { projectId: id });
  t.is((await client.post(`/projects/${id}/complete`)).status, 200);
  const rowsRead = async () => {
    const [read] = await stack.sql<{ rows: number }>`select idx_tup_fetch::int as rows
      from pg_stat_user_tables where relid = 'tasks.task'::regclass`;
    return read?.rows ?? 0;
  };
  await waitFor(async () => (await rowsRead()) >= 5_000);
  // Each batch of 500 looks at the others of the account once, not once for each of its tasks.
  t.true((await rowsRead()) < 500_000, String(await rowsRead()));
});
