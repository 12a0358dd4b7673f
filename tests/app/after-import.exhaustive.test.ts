import test from 'ava';
import pg from 'pg';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createWebApps } from './web-app-client.ts';

test('changes are read after an import while an old snapshot keeps the removed history', async (t) => {
  const own = await startStack(t, { own: true, environment: { DATABASE_WAIT_MILLISECONDS: '2500' } });
  const client = await (await createWebApps(own)).open();
  const { accountId } = client.account;
  await own.sql`insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select ${accountId}, sequence, 'task', gen_random_uuid(), 'created', now()
    from generate_series(1, 2000) sequence`;
  const insertHistory = (first: number, last: number) => own.sql`insert into tasks.change_history
      (account_id, sequence, changed_at, entity, entity_id, change, actor_kind, actor_id,
      is_undo, has_long_values)
    select ${accountId}, sequence, now(), 'task', gen_random_uuid(), 'created', 'app', 'x', false, false
    from generate_series(${first}::integer, ${last}::integer) sequence`;
  await insertHistory(1, 250_000);
  const backup = new pg.Client({ connectionString: own.databaseUrl });
  await backup.connect();
  t.teardown(() => backup.end());
  await backup.query('begin isolation level repeatable read');
  await backup.query('select from tasks.area');
  await own.sql`delete from tasks.change_history where account_id = ${accountId}`;
  await insertHistory(250_001, 250_300);
  for (const path of ['/changes?after=0', '/activity'])
    await t.notThrowsAsync(waitFor(async () => (await client.app.get(path)).status === 200, { what: path }));
});
