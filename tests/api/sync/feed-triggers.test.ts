import test from 'ava';
import pg from 'pg';
import { showFeed } from '#resource-api/admin/data-admin.ts';
import { makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

type Write = (client: pg.Client, stamp: string) => Promise<unknown>;

/** In a transaction that `opening` begins, as a writer that knows nothing of the feed; returns what the feed gained. */
async function entriesOf({ account: { accountId } }: AccountClient, opening: string, write: Write) {
  const before = await showFeed(stack.databaseUrl, { accountId, since: 0 });
  const client = new pg.Client({ connectionString: stack.databaseUrl });
  await client.connect();
  try {
    await client.query('begin');
    const { rows } = await client.query(`select changed_at::text as stamp from tasks.${opening}($1)`, [
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
  const entries = await entriesOf(api, 'start_write', (client, stamp) =>
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
    await t.throwsAsync(entriesOf(api, 'start_write', write), { message: /the account or the stamp/ });
});

test('changes that clients cannot see get no feed entry', async (t) => {
  const api = await stack.newClient();
  await makeTask(api);
  const update = 'update tasks.task set renderer_version = 0 where account_id = $1';
  const write: Write = (client) => client.query(update, [api.account.accountId]);
  t.deepEqual(await entriesOf(api, 'start_write', write), []);
});

test('the earlier release, which writes the feed itself, does not meet the triggers', async (t) => {
  const api = await stack.newClient();
  await makeTask(api);
  const write: Write = (client) =>
    client.query('update tasks.task set title = $2 where account_id = $1', [api.account.accountId, 'x']);
  t.deepEqual(await entriesOf(api, 'open_write', write), []);
});
