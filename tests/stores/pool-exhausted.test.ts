import test, { type ExecutionContext } from 'ava';
import { holdAccount } from '../api/idempotency/hold-account.ts';
import { holdTable } from '../lifecycle/held-table.ts';
import { readMetrics } from '../observability/metrics-text.ts';
import type { ApiClient } from '../support/api-client.ts';
import type { Problem } from '../support/api-types.ts';
import { makeTask } from '../support/factories.ts';
import { type OwnStack, startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUnavailable } from './expect-unavailable.ts';

const unresponsive = 'PostgreSQL is unresponsive';

async function startSmall(t: ExecutionContext, poolSize: number) {
  const environment = { DATABASE_WAIT_MILLISECONDS: '5000', DATABASE_POOL_SIZE: String(poolSize) };
  const stack = await startStack(t, { environment });
  const client = await stack.newClient();
  const read = () => client.get<Problem>('/tasks');
  await waitFor(async () => (await read()).status === 200);
  const wasUnresponsive = () => stack.log.some(({ msg }) => msg.startsWith(unresponsive));
  return { stack, client, read, wasUnresponsive };
}

test.serial('requests that get no connection are answered with 503; the next ones are served', async (t) => {
  const { stack, read, wasUnresponsive } = await startSmall(t, 2);
  const { release } = await holdTable(t, stack.databaseUrl, 'tasks.task');
  expectUnavailable(t, await Promise.all(Array.from({ length: 10 }, read)));
  await release();
  await waitFor(async () => (await read()).status === 200);
  t.false(wasUnresponsive());
});

test.serial('a burst of writes of an account locked elsewhere gets 503, and others are served', async (t) => {
  const { stack, client, read, wasUnresponsive } = await startSmall(t, 5);
  const write = () => client.post<Problem>('/tasks', { title: 'Buy milk' });
  const { release } = await holdAccount(t, stack, client);
  const writes = Promise.all(Array.from({ length: 30 }, write));
  const other = await stack.newClient();
  t.is((await other.post('/tasks', { title: 'Buy bread' })).status, 201);
  expectUnavailable(t, await writes);
  t.is((await read()).status, 200);
  await release();
  await waitFor(async () => (await write()).status === 201);
  t.false(wasUnresponsive());
});

async function startWithAccounts(t: ExecutionContext, poolSize: number) {
  const stack = await startStack(t, { environment: { DATABASE_POOL_SIZE: String(poolSize) } });
  const [client, other] = [await stack.newClient(), await stack.newClient()];
  for (const { get } of [client, other]) t.is((await get('/me')).status, 200);
  return { stack, client, other };
}

/** One of each client at once; resolves when each waits for writes or for a connection. */
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

type Held = {
  stack: OwnStack;
  other: ApiClient;
  pollers: readonly ApiClient[];
  release: () => Promise<void>;
};

/** No poll is answered and others are served until `release` has been called; then each poll is. */
async function expectPollsLeaveConnections(
  t: ExecutionContext,
  { stack, other, pollers, release }: Held,
): Promise<void> {
  const { statuses, answered } = await sendPolls(stack, pollers);
  t.is((await other.get('/me')).status, 200);
  t.deepEqual(statuses, []);
  await release();
  await answered;
  t.deepEqual(
    statuses,
    pollers.map(() => 200),
  );
}

const pollCount = 12;

test.serial('polls of an account that another process writes to leave connections to others', async (t) => {
  const { stack, client, other } = await startWithAccounts(t, 3);
  const { release } = await holdAccount(t, stack, client);
  const pollers = Array<ApiClient>(pollCount).fill(client);
  await expectPollsLeaveConnections(t, { stack, other, pollers, release });
});

test.serial('polls of an account hold no connection while a write of their process is slow', async (t) => {
  const { stack, client, other } = await startWithAccounts(t, 2);
  const { id } = await makeTask(client);
  const { waiting, release } = await holdTable(t, stack.databaseUrl, 'tasks.task');
  const write = client.patch(`/tasks/${id}`, { title: 'Buy milk' });
  await waiting(1);
  const pollers = Array<ApiClient>(pollCount).fill(client);
  await expectPollsLeaveConnections(t, { stack, other, pollers, release });
  t.is((await write).status, 200);
});

test.serial('a connection ended by the server does not affect other requests', async (t) => {
  const { stack, read, wasUnresponsive } = await startSmall(t, 2);
  const { release } = await holdTable(t, stack.databaseUrl, 'tasks.task');
  const waiting = read();
  await waitFor(async () => {
    const ended = await stack.sql`select pg_terminate_backend(pid) from pg_stat_activity
      where application_name = 'resource-api' and wait_event_type = 'Lock' and datname = current_database()`;
    return ended.length;
  });
  expectUnavailable(t, [await waiting]);
  await release();
  await waitFor(async () => (await read()).status === 200);
  t.false(wasUnresponsive());
});
