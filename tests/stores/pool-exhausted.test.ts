import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import { readMetrics } from '../observability/metrics-text.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { Problem } from '../support/api-types.ts';
import { makeTask } from '../support/factories.ts';
import { type AccountClient, type OwnStack, startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUnavailable } from './expect-unavailable.ts';

const openWriteOf = ({ account }: AccountClient) => `select * from tasks.open_write('${account.accountId}')`;

const unresponsive = 'PostgreSQL is unresponsive';

/** Holds what the statements take, in a transaction that only its end closes. */
async function hold(
  t: ExecutionContext,
  stack: OwnStack,
  ...statements: string[]
): Promise<() => Promise<void>> {
  const holder = new pg.Client({ connectionString: stack.databaseUrl });
  await holder.connect();
  let isHolding = true;
  const letGo = async (): Promise<void> => {
    if (isHolding) await holder.end();
    isHolding = false;
  };
  t.teardown(letGo);
  await holder.query('begin');
  for (const statement of statements) await holder.query(statement);
  return letGo;
}

async function startSmall(t: ExecutionContext, poolSize: number) {
  const environment = { DATABASE_WAIT_MILLISECONDS: '5000', DATABASE_POOL_SIZE: String(poolSize) };
  const stack = await startStack(t, { environment });
  const client = await stack.newClient();
  const read = () => client.get<Problem>('/tasks');
  await waitFor(async () => (await read()).status === 200);
  const wasUnresponsive = () => stack.log.some(({ msg }) => msg.startsWith(unresponsive));
  return { stack, client, read, wasUnresponsive };
}

const lockTasks = 'lock table tasks.task in access exclusive mode';

test.serial('requests that get no connection are answered with 503; the next ones are served', async (t) => {
  const { stack, read, wasUnresponsive } = await startSmall(t, 2);
  const letGo = await hold(t, stack, lockTasks);
  expectUnavailable(t, await Promise.all(Array.from({ length: 10 }, read)));
  await letGo();
  await waitFor(async () => (await read()).status === 200);
  t.false(wasUnresponsive());
});

test.serial('a burst of writes of an account locked elsewhere gets 503, and others are served', async (t) => {
  const { stack, client, read, wasUnresponsive } = await startSmall(t, 5);
  const write = () => client.post<Problem>('/tasks', { title: 'Buy milk' });
  const letGo = await hold(t, stack, openWriteOf(client));
  const writes = Promise.all(Array.from({ length: 30 }, write));
  const other = await stack.newClient();
  t.is((await other.post('/tasks', { title: 'Buy bread' })).status, 201);
  expectUnavailable(t, await writes);
  t.is((await read()).status, 200);
  await letGo();
  await waitFor(async () => (await write()).status === 201);
  t.false(wasUnresponsive());
});

async function startWithAccounts(t: ExecutionContext, poolSize: number) {
  const stack = await startStack(t, { environment: { DATABASE_POOL_SIZE: String(poolSize) } });
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  for (const { get } of [client, other]) t.is((await get('/me')).status, 200);
  return { stack, client, other };
}

/** Of each client one, all at once; resolves when each has come to where it waits for writes or for a connection. */
async function sendPolls(stack: OwnStack, clients: readonly ApiClient[]) {
  const letInByLimit = async (): Promise<number> => {
    const metrics = readMetrics(await stack.metrics('resource-api'));
    return metrics.value('rate_limit_decisions_total', { limit: 'token', outcome: 'allowed' });
  };
  const before = await letInByLimit();
  const statuses: number[] = [];
  const polls = clients.map(async ({ get }) => {
    statuses.push((await get('/tasks?view=all&updatedSince=2999-01-01T00:00:00Z')).status);
  });
  await waitFor(async () => (await letInByLimit()) - before === clients.length);
  return { statuses, answered: Promise.all(polls) };
}

type Held = { stack: OwnStack; other: ApiClient; pollers: readonly ApiClient[]; letGo: () => Promise<void> };

/** No poll is answered and others are served until `letGo` has been called; then each poll is. */
async function expectPollsLeaveConnections(
  t: ExecutionContext,
  { stack, other, pollers, letGo }: Held,
): Promise<void> {
  const { statuses, answered } = await sendPolls(stack, pollers);
  t.is((await other.get('/me')).status, 200);
  t.deepEqual(statuses, []);
  await letGo();
  await answered;
  t.deepEqual(
    statuses,
    pollers.map(() => 200),
  );
}

const pollCount = 12;

test.serial('polls of an account that another process writes to leave connections to others', async (t) => {
  const { stack, client, other } = await startWithAccounts(t, 3);
  const letGo = await hold(t, stack, openWriteOf(client));
  const pollers = Array<ApiClient>(pollCount).fill(client);
  await expectPollsLeaveConnections(t, { stack, other, pollers, letGo });
});

test.serial('polls of an account hold no connection while a write of their process is slow', async (t) => {
  const { stack, client, other } = await startWithAccounts(t, 2);
  const { id } = await makeTask(client);
  const letGo = await hold(t, stack, `select from tasks.task where id = '${id}' for update`);
  const write = client.patch(`/tasks/${id}`, { title: 'Buy milk' });
  await waitFor(async () => {
    const waiting = await stack.sql`select from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    return waiting.length;
  });
  const pollers = Array<ApiClient>(pollCount).fill(client);
  await expectPollsLeaveConnections(t, { stack, other, pollers, letGo });
  t.is((await write).status, 200);
});

test.serial('a connection ended by the server does not affect other requests', async (t) => {
  const { stack, read, wasUnresponsive } = await startSmall(t, 2);
  const letGo = await hold(t, stack, lockTasks);
  const waiting = read();
  await waitFor(async () => {
    const ended = await stack.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'resource-api' and wait_event_type = 'Lock' and datname = current_database()`;
    return ended.length;
  });
  expectUnavailable(t, [await waiting]);
  await letGo();
  await waitFor(async () => (await read()).status === 200);
  t.false(wasUnresponsive());
});
