import test, { type ExecutionContext } from 'ava';
import { DatabaseUnavailableError, isDatabaseUnavailable } from '#shared/database/database-unavailable.ts';
import type { Problem } from '#tests/support/api-types.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import type { FaultMode } from '#tests/support/fault-proxy.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { expectUnavailable } from './expect-unavailable.ts';
import { openProxiedDatabase } from './store-proxies.ts';

/** Near enough to production to wait for, and far enough from what a busy machine takes. */
const environment = { DATABASE_WAIT_MILLISECONDS: '4000', DATABASE_POOL_SIZE: '5' };
const unresponsive = 'PostgreSQL is unresponsive: new connections replace those of the pool';

async function startBehindProxy(t: ExecutionContext) {
  const { proxy, url } = await openProxiedDatabase(t);
  const stack = await startStack(t, { databaseUrl: url, environment });
  const client = await stack.newClient();
  const read = () => client.get<Problem>('/tasks?view=inbox');
  const write = (title = 'Buy milk') => client.post<Problem>('/tasks', { title });
  const isServed = async (): Promise<boolean> => (await read()).status === 200;
  await waitFor(isServed);
  const times = (count: number, send: () => ReturnType<typeof read>) =>
    Promise.all(Array.from({ length: count }, send));
  return { proxy, stack, client, read, write, times, isServed };
}

test.serial('while the database is frozen reads and a burst of one account’s writes get 503', async (t) => {
  const { proxy, stack, read, write, times, isServed } = await startBehindProxy(t);
  proxy.setMode('freeze');
  const [reads, writes] = await Promise.all([times(10, read), times(30, write)]);
  expectUnavailable(t, [...reads, ...writes]);
  const replacements = () => stack.log.filter(({ msg }) => msg === unresponsive).length;
  await waitFor(replacements);
  t.is(replacements(), 1);

  proxy.setMode('pass');
  await waitFor(isServed);
  t.is((await write()).status, 201);
  t.deepEqual(
    (await times(20, read)).map(({ status }) => status),
    Array(20).fill(200),
  );
});

test.serial('a server that is slow with new connections serves those that are open', async (t) => {
  const { proxy, stack, read, times } = await startBehindProxy(t);
  t.is((await read()).status, 200);
  proxy.muteNewConnections(true);
  // Each of these rounds wants more connections than are open, and the open ones answer meanwhile.
  const answers = await Promise.all(
    Array.from({ length: 8 }, async () => {
      const round: number[] = [];
      for (let turn = 0; turn < 20; turn += 1) round.push((await read()).status);
      return round;
    }),
  );
  t.true(answers.flat().filter((status) => status === 200).length > 100);
  t.false(stack.log.some(({ msg }) => msg === unresponsive));
  proxy.muteNewConnections(false);
  t.deepEqual(
    (await times(5, read)).map(({ status }) => status),
    Array(5).fill(200),
  );
});

test.serial('a connection that lost a reply is not used again, and the others serve on', async (t) => {
  const { proxy, read, write, times } = await startBehindProxy(t);
  await times(10, read);
  const stop = proxy.onClientData((bytes, mute) => bytes.includes('Lost') && mute());
  let isAnswered = false;
  const lost = write('Lost').finally(() => {
    isAnswered = true;
  });
  const statuses = new Set<number>();
  await waitFor(async () => {
    statuses.add((await read()).status);
    return isAnswered;
  });
  expectUnavailable(t, [await lost]);
  stop();
  for (const { status } of await times(20, read)) statuses.add(status);
  t.deepEqual([...statuses], [200]);
});

test.serial('connections from before an outage are not used after it, whole ones neither', async (t) => {
  const { proxy, stack, read, times, isServed } = await startBehindProxy(t);
  await times(10, read);
  await waitFor(() => proxy.connectionCount() >= 3);
  const known = new Set(await backends(stack.sql));
  proxy.setMode('dropReplies');
  expectUnavailable(t, [await read()]);
  proxy.setMode('pass');
  await waitFor(isServed);
  await waitFor(async () => {
    await times(10, read);
    return (await backends(stack.sql)).every((pid) => !known.has(pid));
  });
  t.pass();
});

async function backends(sql: Awaited<ReturnType<typeof startStack>>['sql']): Promise<number[]> {
  const rows = await sql<{ pid: number }>`select pid from pg_stat_activity
    where application_name = 'resource-api' and datname = current_database()`;
  return rows.map(({ pid }) => pid);
}

test.serial('a connection lost inside a transaction does not shrink the pool', async (t) => {
  const { proxy, write, isServed } = await startBehindProxy(t);
  for (const statement of ['begin', 'tasks.start_write', 'tasks.start_write', 'insert into', 'commit']) {
    const stop = proxy.onClientData((bytes) => bytes.includes(statement) && proxy.setMode('cut'));
    expectUnavailable(t, [await write()]);
    stop();
    await waitFor(isServed);
  }
  t.is((await write()).status, 201);
});

test.serial('statements that are each fast but too slow together time out', async (t) => {
  const { proxy, write, isServed } = await startBehindProxy(t);
  t.is((await write()).status, 201);
  proxy.setMode({ latencyMilliseconds: 1_500 });
  expectUnavailable(t, [await write()]);
  proxy.setMode('pass');
  await waitFor(isServed);
  t.is((await write()).status, 201);
});

test('without its database auth-server responds 503 with Retry-After, in JSON and as a page', async (t) => {
  const { proxy, url } = await openProxiedDatabase(t);
  const environment = { DATABASE_WAIT_MILLISECONDS: '4000' };
  const stack = await startStack(t, { databaseUrl: url, environment, withAuthServer: true });
  const { token } = await stack.newClient();
  const client = { redirect_uris: ['https://client.example/callback'], client_name: 'App' };
  const refresh = { grant_type: 'refresh_token', client_id: 'none', refresh_token: 'none' };
  const requests = {
    exchange: () => stack.anonymous.post('/auth/token', { subjectToken: token.secret }),
    registration: () => stack.site.post('/oauth/register', client),
    token: () => stack.site.post('/oauth/token', new URLSearchParams(refresh)),
    revocation: () =>
      stack.site.post('/oauth/revoke', new URLSearchParams({ token: 'none', client_id: 'none' })),
    authorization: () => stack.site.get('/oauth/authorize?client_id=none&response_type=code'),
  };

  for (const mode of ['refuse', 'freeze'] as const) {
    proxy.setMode(mode);
    const answers = await Promise.all(Object.values(requests).map((send) => send()));
    for (const { status, headers } of answers) {
      t.is(status, 503);
      t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    }
    proxy.setMode('pass');
    await waitFor(async () => (await requests.exchange()).status === 200);
  }
});

type Trace = { tasks: number; entries: number; sequence: number };

/** What is left of an account's one write: everything or nothing. */
async function traceOf(sql: Sql, accountId: string): Promise<Trace> {
  const [trace] = await sql<Trace>`select
    (select count(*)::int from tasks.task where account_id = ${accountId}) as tasks,
    (select count(*)::int from tasks.feed_entry where account_id = ${accountId}) as entries,
    coalesce((select last_sequence::int from tasks.account_feed
      where account_id = ${accountId}), 0) as sequence`;
  return trace ?? { tasks: -1, entries: -1, sequence: -1 };
}

async function writeWhileCommitIsLost(t: ExecutionContext, mode: FaultMode) {
  const { proxy, stack, client, write, isServed } = await startBehindProxy(t);
  const stop = proxy.onClientData((bytes) => bytes.includes('commit\0') && proxy.setMode(mode));
  const answer = await write();
  stop();
  proxy.setMode('pass');
  expectUnavailable(t, [answer]);
  await waitFor(isServed);
  return { write, trace: () => traceOf(stack.sql, client.account.accountId) };
}

test.serial('a connection cut during COMMIT is answered with 503, the write whole or absent', async (t) => {
  const { write, trace } = await writeWhileCommitIsLost(t, 'cut');
  const { tasks, entries, sequence } = await trace();
  t.true(tasks === 0 || tasks === 1);
  t.deepEqual([entries, sequence], [tasks, tasks]);
  t.is((await write('The next one')).status, 201);
});

test.serial('a COMMIT without a reply gets 503 and is not repeated', async (t) => {
  const { write, trace } = await writeWhileCommitIsLost(t, 'dropReplies');
  t.deepEqual(await trace(), { tasks: 1, entries: 1, sequence: 1 });
  t.is((await write('The next one')).status, 201);
});

function failure(message: string, properties: object): Error {
  return Object.assign(new Error(message), properties);
}

/** Of PostgreSQL, the driver, its pool and the network. */
const unavailable = [
  failure('terminating connection due to administrator command', { code: '57P01' }),
  failure('terminating connection because of crash of another server process', { code: '57P02' }),
  failure('the database system is starting up', { code: '57P03' }),
  failure('terminating connection due to idle-session timeout', { code: '57P05' }),
  failure('canceling statement due to statement timeout', { code: '57014' }),
  failure('canceling statement due to lock timeout', { code: '55P03' }),
  failure('terminating connection due to idle-in-transaction timeout', { code: '25P03' }),
  failure('cannot execute INSERT in a read-only transaction', { code: '25006' }),
  failure('could not extend file: No space left on device', { code: '53100' }),
  failure('out of shared memory', { code: '53200' }),
  failure('sorry, too many clients already', { code: '53300' }),
  failure('could not read block', { code: '58030' }),
  failure('deadlock detected', { code: '40P01' }),
  failure('password authentication failed', { code: '28P01' }),
  failure('database does not exist', { code: '3D000' }),
  failure('connect ECONNREFUSED 127.0.0.1:5432', { code: 'ECONNREFUSED' }),
  failure('read ECONNRESET', { code: 'ECONNRESET' }),
  failure('write EPIPE', { code: 'EPIPE' }),
  failure('connect ETIMEDOUT', { code: 'ETIMEDOUT' }),
  failure('connect ENETUNREACH', { code: 'ENETUNREACH' }),
  failure('getaddrinfo ENOTFOUND postgres', { code: 'ENOTFOUND' }),
];

for (const error of unavailable) {
  test(`«${error.message}» is the database’s failure`, (t) => {
    t.true(isDatabaseUnavailable(error));
    t.true(isDatabaseUnavailable(new Error('a query failed', { cause: error })));
  });
}

test('our own timeouts are failures of the database, even when wrapped', (t) => {
  const refusal = new DatabaseUnavailableError('no connection was had');
  t.true(isDatabaseUnavailable(refusal));
  t.true(isDatabaseUnavailable(Object.assign(new Error(refusal.message), { ...refusal })));
});

test('one of several failed addresses is enough', (t) => {
  t.true(isDatabaseUnavailable(new AggregateError([failure('refused', { code: 'ECONNREFUSED' })])));
});

const faulty: [what: string, thrown: unknown][] = [
  ['a unique violation', failure('duplicate key value', { code: '23505' })],
  ['a syntax error', failure('syntax error', { code: '42601' })],
  ['a value out of range', failure('out of range', { code: '22003' })],
  ['a statement in a failed transaction', failure('transaction is aborted', { code: '25P02' })],
  ['a mistake of the program', new TypeError('undefined is not a function')],
  ['what is no error', '57P01'],
];

for (const [what, thrown] of faulty) {
  test(`${what} is not the database’s failure`, (t) => {
    t.false(isDatabaseUnavailable(thrown));
  });
}
