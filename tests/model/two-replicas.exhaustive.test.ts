import { mkdtempSync, rmSync } from 'node:fs';
import os from 'node:os';
import path from 'node:path';
import test, { type ExecutionContext } from 'ava';
import { findFreePort } from '#local/free-port.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Page, Project, Task } from '#tests/support/api-types.ts';
import { programEnvironment } from '#tests/support/program-environment.ts';
import { startStack } from '#tests/support/stack.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { createKeepAliveClient } from '#tools/faults/keep-alive-client.ts';
import { createReplica } from '#tools/faults/replica.ts';
import { dateOf, dayNumber } from '../unit/series-oracle.ts';
import { readList, type Send } from './wire.ts';

/* Clients of one account over two processes: within one process the account's writes are queued anyway. */

const stack = await startStack(test);
const parts = new AsyncDisposableStack();
let urls: readonly string[] = [];
test.before(async () => {
  urls = await startTwoReplicas();
});
test.after.always(() => parts.disposeAsync());

async function startTwoReplicas(): Promise<string[]> {
  const directory = mkdtempSync(path.join(os.tmpdir(), 'replicas-'));
  parts.defer(() => rmSync(directory, { recursive: true, force: true }));
  const start = async (index: number) => {
    const replica = createReplica({
      service: 'resource-api',
      port: await findFreePort(),
      managementPort: await findFreePort(),
      environment: {
        ...programEnvironment,
        BASE_URL: 'http://127.0.0.1:1',
        DATABASE_URL: stack.databaseUrl,
        REDIS_URL: stack.redisUrl,
        ADDRESS_LIMIT_EXEMPT: '127.0.0.0/8',
        DATABASE_WAIT_MILLISECONDS: '20000',
        LOG_LEVEL: 'warn',
      },
      logFile: path.join(directory, `${index}.log`),
    });
    parts.defer(async () => void (replica.isRunning() && (await replica.end('SIGKILL'))));
    await replica.start();
    return replica.url;
  };
  return Promise.all([start(0), start(1)]);
}

/** Clients of a new account, spread over the replicas, each with a connection and a token of its own. */
async function openClients(t: ExecutionContext, count: number, plan: 'free' | 'premium' = 'premium') {
  const accounts = createTestAccounts(stack.sql);
  const account = await accounts.createAccount({ plan });
  const open = async (_: unknown, index: number): Promise<Send> => {
    const { secret } = await accounts.createToken(account);
    const client = createKeepAliveClient(urls[index % urls.length] ?? '');
    t.teardown(client.close);
    return async ({ method, path: below, body }) => {
      const answer = await client.send({ method, path: apiRootPath + below, token: secret, body });
      if (typeof answer.outcome === 'string') throw new Error(`${method} ${below}: ${answer.outcome}`);
      return { status: answer.outcome, body: answer.body === '' ? undefined : JSON.parse(answer.body) };
    };
  };
  const [first, ...others] = await Promise.all(Array.from({ length: count }, open));
  if (first === undefined) throw new Error('there are no clients');
  const setPlan = (wanted: 'free' | 'premium') => accounts.setPlan(account, wanted);
  return { first, all: [first, ...others], setPlan };
}

async function make<Body>(send: Send, resource: string, body: object): Promise<Body> {
  const answer = await send({ method: 'POST', path: resource, body });
  if (answer.status !== 201) throw new Error(`${resource} has status ${answer.status}`);
  return answer.body as Body;
}

const inDays = (days: number) => dateOf(dayNumber('2199-01-01') + days);

test('parallel completions of a repeating task each log their own day', async (t) => {
  for (let count = 2; count <= 6; count += 1) {
    const { first, all } = await openClients(t, count);
    const recurrence = { frequency: 'daily' };
    const { id } = await make<Task>(first, '/tasks', { title: 'Repeats', dueDate: inDays(0), recurrence });
    const complete = { method: 'POST', path: `/tasks/${id}/complete` } as const;
    const answers = await Promise.all(all.map((send) => send(complete)));
    t.true(answers.every(({ status }) => status === 200));
    const tasks = await readList<Task>(first, '/tasks?view=all');
    const logged = tasks.filter(({ status }) => status === 'completed').map(({ dueDate }) => dueDate ?? '');
    t.deepEqual(
      logged.toSorted(),
      all.map((_, index) => inDays(index)),
    );
    const open = tasks.filter(({ status }) => status === 'open');
    t.deepEqual(
      open.map(({ id: openId, dueDate }) => [openId, dueDate]),
      [[id, inDays(count)]],
    );
  }
});

for (const { path: resource, cap } of [
  { path: '/projects', cap: 5 },
  { path: '/areas', cap: 2 },
]) {
  test(`50 creations at once at the cap of ${resource} come to exactly the cap`, async (t) => {
    const { first, all } = await openClients(t, 50, 'free');
    for (let made = 1; made < cap; made += 1) await make(first, resource, { title: 'Made' });
    const create = { method: 'POST', path: resource, body: { title: 'Made' } } as const;
    const statuses = (await Promise.all(all.map((send) => send(create)))).map(({ status }) => status);
    t.deepEqual(statuses.toSorted(), [201, ...Array(49).fill(403)]);
    const { body } = await first({ method: 'GET', path: resource });
    t.is((body as Page<Project>).items.length, cap);
  });
}

test('a downgrade stops creations beyond the cap at once', async (t) => {
  const { first, all, setPlan } = await openClients(t, 20);
  const creating = all.map((send) => make(send, '/projects', { title: 'Made' }).catch(() => undefined));
  await creating[4];
  await setPlan('free');
  const before = (await readList<Project>(first, '/projects?')).length;
  await Promise.all(creating);
  const after = (await readList<Project>(first, '/projects?')).length;
  // One more may have held the account's lock, and read the plan, when the downgrade was committed.
  t.true(after <= Math.max(before + 1, 5), `${before} before, ${after} after`);
});

test('no open task is left in a project that is completed while it is filled', async (t) => {
  for (let round = 0; round < 10; round += 1) {
    const { first, all } = await openClients(t, 6);
    const { id: projectId } = await make<Project>(first, '/projects', { title: 'Closes' });
    const { id } = await make<Task>(first, '/tasks', { title: 'Comes' });
    const [closer, mover, ...adders] = all;
    const body = { completeChildTasks: round % 2 === 0 };
    await Promise.all([
      closer?.({ method: 'POST', path: `/projects/${projectId}/complete`, body }),
      mover?.({ method: 'POST', path: `/tasks/${id}/move`, body: { projectId } }),
      ...adders.map((send) => send({ method: 'POST', path: '/tasks', body: { title: 'Added', projectId } })),
    ]);
    const inside = await readList<Task>(first, `/projects/${projectId}/tasks?view=all`);
    t.deepEqual(
      inside.filter(({ status }) => status === 'open'),
      [],
    );
  }
});

test('the next page of a list may come from the other replica', async (t) => {
  const { first, all } = await openClients(t, 2);
  for (let count = 0; count < 3; count += 1) await make(first, '/tasks', { title: `Task ${count}` });
  const pageFrom = async (send: Send | undefined, cursor = '') => {
    const answer = await send?.({ method: 'GET', path: `/tasks?limit=1&cursor=${cursor}` });
    return answer?.body as Page<Task>;
  };
  const cursor = (await pageFrom(first)).nextCursor ?? '';
  const page = await pageFrom(all[1], cursor);
  t.is(page.items.length, 1);
  t.deepEqual(page, await pageFrom(first, cursor));
});

test('patches of different fields at once are all kept', async (t) => {
  const wanted = { title: 'Patched', description: 'notes', dueDate: inDays(0), deadlineDate: inDays(31) };
  const { first, all } = await openClients(t, 4);
  for (let round = 0; round < 5; round += 1) {
    const { id } = await make<Task>(first, '/tasks', { title: 'New' });
    const patches = Object.entries(wanted).map(([field, value], index) =>
      all[index]?.({ method: 'PATCH', path: `/tasks/${id}`, body: { [field]: value } }),
    );
    await Promise.all(patches);
    const { body } = await first({ method: 'GET', path: `/tasks/${id}` });
    t.like(body as Task, wanted);
  }
});
