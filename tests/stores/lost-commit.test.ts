import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import type { Problem } from '../support/api-types.ts';
import { connectSql, type Sql } from '../support/connect-sql.ts';
import type { FaultMode } from '../support/fault-proxy.ts';
import { startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUnavailable } from './expect-unavailable.ts';
import { openProxiedDatabase } from './store-proxies.ts';

type Trace = { tasks: number; entries: number; sequence: number };

/** What is left of an account's one write: everything or nothing. */
async function traceOf(sql: Sql, accountId: string): Promise<Trace> {
  const [trace] = await sql<Trace>`select
    (select count(*)::int from tasks.task where account_id = ${accountId}) as tasks,
    (select count(*)::int from tasks.feed_entry where account_id = ${accountId}) as entries,
    coalesce((select last_sequence::int from tasks.account_feed where account_id = ${accountId}), 0) as sequence`;
  return trace ?? { tasks: -1, entries: -1, sequence: -1 };
}

async function writeWhileCommitIsLost(t: ExecutionContext, mode: FaultMode) {
  const { proxy, url, directUrl } = await openProxiedDatabase(t);
  const environment = { DATABASE_WAIT_MILLISECONDS: '4000' };
  const stack = await startStack(t, { databaseUrl: url, environment });
  const direct = connectSql(directUrl);
  t.teardown(direct.close);
  const client = await stack.newClient();
  await waitFor(async () => (await client.get('/tasks')).status === 200);

  const stop = proxy.onClientData((bytes) => bytes.includes('commit\0') && proxy.setMode(mode));
  const answer = await client.post<Problem>('/tasks', { title: randomUUID() });
  stop();
  proxy.setMode('pass');
  expectUnavailable(t, [answer]);
  await waitFor(async () => (await client.get('/tasks')).status === 200);
  return { client, trace: () => traceOf(direct.sql, client.account.accountId) };
}

test.serial(
  'a connection that is cut during COMMIT is answered with 503, and the write is whole or absent',
  async (t) => {
    const { client, trace } = await writeWhileCommitIsLost(t, 'cut');
    const { tasks, entries, sequence } = await trace();
    t.true(tasks === 0 || tasks === 1);
    t.deepEqual([entries, sequence], [tasks, tasks]);
    t.is((await client.post('/tasks', { title: 'The next one' })).status, 201);
  },
);

test.serial('a COMMIT without a reply gets 503 and is not repeated', async (t) => {
  const { client, trace } = await writeWhileCommitIsLost(t, 'dropReplies');
  t.deepEqual(await trace(), { tasks: 1, entries: 1, sequence: 1 });
  t.is((await client.post('/tasks', { title: 'The next one' })).status, 201);
});
