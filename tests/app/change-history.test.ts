import test from 'ava';
import pg from 'pg';
import { restoreProject, showFeed } from '#resource-api/admin/data-admin.ts';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepExpired } from '#resource-api/sweep-expired.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('every change names who made it: a token by its name, the operator as such', async (t) => {
  const api = await stack.newClient({ name: 'Backup script' });
  const { id: projectId } = await makeProject(api);
  await api.delete(`/projects/${projectId}`);
  const { accountId } = api.account;
  await restoreProject(stack.databaseUrl, { accountId, projectId });
  const actors = await stack.sql`select actor_kind as kind, actor_id as id, actor_name as name
    from tasks.change_history where account_id = ${accountId} order by sequence`;
  const token = { kind: 'token', id: api.token.tokenId, name: 'Backup script' };
  t.deepEqual(actors, [token, token, { kind: 'operator', id: '', name: 'operator' }]);
});

test('of long notes the newest 200 old versions are kept; short values stay', async (t) => {
  const api = await stack.newClient();
  const { id } = await makeTask(api, { description: 'a'.repeat(9_000) });
  const { accountId } = api.account;
  for (let version = 1; version <= 202; version += 1) {
    const letter = version % 2 === 0 ? 'a' : 'b';
    const { status } = await api.patch(`/tasks/${id}`, {
      title: `Version ${version}`,
      description: letter.repeat(9_000),
    });
    t.is(status, 200);
  }
  const kept = await stack.sql<{ title: string; kind: string }>`
    select before ->> 'title' as title, jsonb_typeof(before -> 'description') as kind
    from tasks.change_history where account_id = ${accountId} and change = 'updated' order by sequence`;
  t.deepEqual(
    kept.map(({ kind }) => kind),
    ['object', 'object', ...Array<string>(200).fill('string')],
  );
  t.is(kept[1]?.title, 'Version 1');
});

test('after 30 days a change is forgotten', async (t) => {
  const own = await startStack(t, { own: true });
  const api = await own.newClient();
  await makeTask(api);
  const database = openTasksDatabase({ url: own.databaseUrl, poolSize: 1, waitMilliseconds: 20_000 });
  t.teardown(() => database.close());
  const sweepIn = (days: number) =>
    sweepExpired(database, { now: () => new Date(Date.now() + days * 86_400_000) });
  t.like(await sweepIn(29.9), { change_history: 0 });
  t.like(await sweepIn(30.1), { change_history: 1 });
  t.deepEqual(await own.sql`select from tasks.change_history`, []);
});

test('of an account the newest 100,000 changes are kept, give or take a thousand', async (t) => {
  const api = await stack.newClient();
  const { accountId } = api.account;
  await makeTask(api);
  // The history of an account that has made 101,995 changes, the oldest of them removed as it grew.
  await stack.sql`update tasks.account_feed set last_sequence = 101995 where account_id = ${accountId}`;
  await stack.sql`delete from tasks.change_history where account_id = ${accountId}`;
  await stack.sql`insert into tasks.change_history
      (account_id, sequence, changed_at, entity, entity_id, change, is_undo, has_long_values)
    select ${accountId}, sequence, now(), 'task', gen_random_uuid(), 'created', false, false
    from generate_series(1001, 101995) sequence`;
  const bounds = () => stack.sql`select min(sequence)::int as first, max(sequence)::int as last
    from tasks.change_history where account_id = ${accountId}`;
  for (let count = 0; count < 4; count += 1) await makeTask(api);
  t.deepEqual(await bounds(), [{ first: 1_001, last: 101_999 }]);
  await makeTask(api);
  t.deepEqual(await bounds(), [{ first: 2_001, last: 102_000 }]);
});

type Write = (client: pg.Client, stamp: string) => Promise<unknown>;

/** In a write of the account, by a writer that knows nothing of the feed; returns what the feed gained. */
async function entriesOf({ account: { accountId } }: AccountClient, write: Write) {
  const before = await showFeed(stack.databaseUrl, { accountId, since: 0 });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query('select changed_at::text as stamp from tasks.start_write($1)', [
      accountId,
    ]);
    await write(client, rows[0].stamp);
    await client.query('commit');
  } finally {
    await client.end();
  }
  const entries = await showFeed(stack.databaseUrl, { accountId, since: before.length });
  return entries.map(({ seq, entity, id, change }) => `${seq - before.length} ${entity} ${id} ${change}`);
}

test('every changed row gets a feed entry, whatever statement writes it', async (t) => {
  const api = await stack.newClient();
  const ids = [(await makeTask(api)).id, (await makeTask(api)).id];
  const { accountId } = api.account;
  const entries = await entriesOf(api, (client, stamp) =>
    client.query('update tasks.task set title = $2, updated_at = $3 where account_id = $1', [
      accountId,
      'x',
      stamp,
    ]),
  );
  t.is(entries.length, 2);
  for (const id of ids) t.true(entries.some((entry) => entry.endsWith(`task ${id} updated`)));
  t.deepEqual(
    entries.map((entry) => entry.slice(0, 2)),
    ['1 ', '2 '],
  );
});

test('a row without its transaction’s timestamp, or of another account, is refused', async (t) => {
  const [api, other] = [await stack.newClient(), await stack.newClient()];
  await makeTask(api);
  await makeTask(other);
  const { accountId } = api.account;
  const unstamped: Write = (client) =>
    client.query('update tasks.task set title = $2 where account_id = $1', [accountId, 'x']);
  const foreign: Write = (client, stamp) =>
    client.query('update tasks.task set title = $2, updated_at = $3 where account_id = $1', [
      other.account.accountId,
      'x',
      stamp,
    ]);
  for (const write of [unstamped, foreign])
    await t.throwsAsync(entriesOf(api, write), { message: /the account or the stamp/ });
});

test('changes that clients cannot see get no feed entry', async (t) => {
  const api = await stack.newClient();
  await makeTask(api);
  const update = 'update tasks.task set renderer_version = 0 where account_id = $1';
  const write: Write = (client) => client.query(update, [api.account.accountId]);
  t.deepEqual(await entriesOf(api, write), []);
});
