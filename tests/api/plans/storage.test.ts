import test from 'ava';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { measureStorage } from '#resource-api/plans/measure-storage.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { keyed } from '../idempotency/keyed-requests.ts';

const megabyteBytes = 1_024 * 1_024;
const stack = await startStack(test, { environment: { ACCOUNT_STORAGE_MEGABYTES: '1' } });

/** As it is counted, and what its rows add up to. */
async function bytesOf({ account: { accountId } }: AccountClient): Promise<[number, number]> {
  const [row] = await stack.sql<{ counted: string; stored: string }>`
    select stored_bytes as counted, tasks.measure_stored_bytes(account_id) as stored
    from tasks.account_feed where account_id = ${accountId}`;
  return [Number(row?.counted), Number(row?.stored)];
}

const notes = 'Nothing but words. '.repeat(5_000);

async function fill(client: AccountClient): Promise<Task[]> {
  const made: Task[] = [];
  for (;;) {
    const { status, body } = await client.post<Task>('/tasks', { title: 'Long', description: notes });
    if (status !== 201) return made;
    made.push(body);
  }
}

test('a full account refuses writes that add bytes, with a clear error, and is unchanged', async (t) => {
  const client = await stack.newClient();
  const made = await fill(client);
  t.true(made.length > 1 && made.length < 10, `${made.length} tasks of 190 kB`);
  const before = await bytesOf(client);
  for (const title of ['One more', 'And another']) {
    const refused = await client.post('/tasks', { title, description: notes });
    t.like(refused, { status: 403, body: { errorType: 'plan_limit', errorCode: 'storage_limit_reached' } });
    t.regex(String(refused.body.message), /^The account is full: it may store 1 MB\. Shorten notes/);
  }
  t.deepEqual(await bytesOf(client), before);
  t.true(before[0] <= megabyteBytes);
  const another = await stack.newClient();
  t.is((await another.post('/tasks', { title: 'Elsewhere', description: notes })).status, 201);
});

test('a full account can still be tidied up, and then be written to again', async (t) => {
  const client = await stack.newClient();
  const [first, second, third] = await fill(client);
  await stack.sql`update tasks.account_feed set stored_bytes = ${megabyteBytes} where account_id = ${client.account.accountId}`;
  t.is((await client.post('/tasks', { title: 'Short' })).status, 403);
  t.is((await client.post(`/tasks/${first?.id}/complete`)).status, 200);
  t.is((await client.post(`/tasks/${second?.id}/move`, { list: 'someday' })).status, 200);
  t.is((await client.delete(`/tasks/${second?.id}`)).status, 204);
  t.is((await client.patch(`/tasks/${third?.id}`, { description: 'Short.' })).status, 200);
  t.is((await client.post('/tasks', { title: 'Short' })).status, 201);
});

test('the counted bytes are those of the rows, whatever statement changed them', async (t) => {
  const client = await stack.newClient({ plan: 'premium' });
  const project = await makeProject(client, { description: '**Ä** ' });
  const task = await makeTask(client, { projectId: project.id, description: 'Water *all* plants.' });
  await client.patch(`/tasks/${task.id}`, { checklist: [{ title: 'Roses' }], description: 'Short' });
  await client.patch(`/tasks/${task.id}`, { recurrence: { frequency: 'daily' }, dueDate: '2026-11-24' });
  await keyed(client, 'once').post(`/tasks/${task.id}/complete`, {});
  await client.post(`/projects/${project.id}/sections`, { title: 'Beds' });
  await client.post('/areas', { title: 'Home' });
  await client.delete(`/projects/${project.id}`);
  const [counted, stored] = await bytesOf(client);
  t.is(counted, stored);
  t.true(counted > 3_000);
});

test('what was stored before bytes were counted is added once, in more time than a request has', async (t) => {
  const old = await startStack(t, { own: true });
  const client = await old.newClient();
  await makeTask(client, { title: 'Earlier' });
  await old.sql`update tasks.account_feed set stored_bytes = 0, measured_at = null`;
  await makeTask(client, { title: 'Later' });
  await old.sql`alter function tasks.measure_stored_bytes rename to measure_quickly`;
  await old.sql`create function tasks.measure_stored_bytes(account uuid) returns bigint language plpgsql stable
    as $$ begin
      if current_setting('statement_timeout')::interval <= interval '12 s' then raise query_canceled; end if;
      return tasks.measure_quickly(account);
    end $$`;
  const database = openTasksDatabase({ url: old.databaseUrl, poolSize: 1, waitMilliseconds: 20_000 });
  t.is(database.timeouts.statement, 12_000);
  t.teardown(() => database.close());
  const fullest: number[] = [];
  const observer = { measured: (bytes: number) => fullest.push(bytes), refused: () => undefined };
  for (let round = 0; round < 3; round += 1)
    await measureStorage(database, observer, new AbortController().signal);
  const [counted] = await old.sql`select stored_bytes, tasks.measure_quickly(account_id) as measured
    from tasks.account_feed`;
  t.is(counted?.stored_bytes, counted?.measured);
  t.is(fullest.length, 3);
  t.true(Number(fullest[0]) < Number(fullest[1]));
  t.is(fullest[1], fullest[2]);
});
