import test, { type ExecutionContext } from 'ava';
import pg from 'pg';
import type { Problem } from '../support/api-types.ts';
import { type Stack, startStack } from '../support/stack.ts';
import { waitFor } from '../support/wait-for.ts';
import { expectUnavailable } from './expect-unavailable.ts';

const away = 'the database does not answer';

/** Holds what the statements take, in a transaction that only its end closes. */
async function hold(
  t: ExecutionContext,
  stack: Stack,
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
  const wasAway = () => stack.log.some(({ msg }) => msg.startsWith(away));
  return { stack, client, read, wasAway };
}

const lockTasks = 'lock table tasks.task in access exclusive mode';

test.serial(
  'requests that get no connection are answered with 503, and the next ones are served',
  async (t) => {
    const { stack, read, wasAway } = await startSmall(t, 2);
    const letGo = await hold(t, stack, lockTasks);
    expectUnavailable(t, await Promise.all(Array.from({ length: 10 }, read)));
    await letGo();
    await waitFor(async () => (await read()).status === 200);
    t.false(wasAway());
  },
);

test.serial('beyond a bound nobody waits for a connection', async (t) => {
  const { stack, read, wasAway } = await startSmall(t, 1);
  const letGo = await hold(t, stack, lockTasks);
  expectUnavailable(t, await Promise.all(Array.from({ length: 60 }, read)));
  const refusals = stack.log.filter(({ outage }) =>
    /20 requests wait for a connection/.test(JSON.stringify(outage)),
  );
  t.true(refusals.length > 0);
  await letGo();
  await waitFor(async () => (await read()).status === 200);
  t.false(wasAway());
});

test.serial(
  'a burst of writes of an account whose lock is taken elsewhere is answered with 503',
  async (t) => {
    const { stack, client, read, wasAway } = await startSmall(t, 5);
    const write = () => client.post<Problem>('/tasks', { title: 'Buy milk' });
    const letGo = await hold(t, stack, `select * from tasks.open_write('${client.account.accountId}')`);
    expectUnavailable(t, await Promise.all(Array.from({ length: 30 }, write)));
    t.is((await read()).status, 200);
    await letGo();
    await waitFor(async () => (await write()).status === 201);
    t.false(wasAway());
  },
);

test.serial('a connection that the server ends is nobody else’s matter', async (t) => {
  const { stack, read, wasAway } = await startSmall(t, 2);
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
  t.false(wasAway());
});
