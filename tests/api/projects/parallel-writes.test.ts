import test from 'ava';
import { resourceApiRole } from '#resource-api/database/tasks-database.ts';
import { connectAsRole } from '#tests/support/connect-as-role.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const stack = await startStack(test, { environment: { DATABASE_POOL_SIZE: '2' } });

const waiters = () => stack.sql`select pid from pg_locks join pg_database on pg_database.oid = database
  where datname = current_database() and locktype = 'advisory' and not granted`;

test.serial('an account with waiting writes does not block other accounts', async (t) => {
  const busy = await stack.newClient({ plan: 'premium' });
  const other = await stack.newClient();
  const orm = await connectAsRole(t, stack.databaseUrl, resourceApiRole, 2);

  const writes = await orm.em.fork().transactional(async (em) => {
    await em.execute('select * from tasks.open_write(?)', [busy.account.accountId]);
    const sent = Array.from({ length: 8 }, (_, index) =>
      busy.post('/projects', { title: `Project ${index}` }),
    );
    await waitFor(async () => (await waiters()).length > 0, {
      what: 'no write waits for the account’s lock',
    });
    t.is((await other.get('/projects')).status, 200);
    t.is((await other.post('/projects', { title: 'Mine' })).status, 201);
    t.true((await waiters()).length <= 1);
    return sent;
  });

  // 503: the lock was held for longer than a write waits for it.
  const statuses = (await Promise.all(writes)).map(({ status }) => status);
  t.deepEqual(
    statuses.filter((status) => status !== 503),
    statuses.filter((status) => status === 201),
  );
});

test.serial('a write that waits while its account is suspended is refused', async (t) => {
  const client = await stack.newClient();
  const orm = await connectAsRole(t, stack.databaseUrl, resourceApiRole, 2);
  const [write] = await orm.em.fork().transactional(async (em) => {
    await em.execute('select * from tasks.open_write(?)', [client.account.accountId]);
    const sent = [client.post('/projects', { title: 'Late' })];
    await waitFor(async () => (await waiters()).length > 0, { what: 'no write waits' });
    await stack.setStatus(client.account, 'suspended');
    return sent;
  });
  // 503: as above.
  t.true([423, 503].includes((await write)?.status ?? 0));
});
