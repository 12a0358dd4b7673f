import { request as openRequest } from 'node:http';
import test from 'ava';
import type { Page, Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { holdAccount } from './hold-account.ts';
import { allTitles, isReplayed, keyed, postForText } from './keyed-requests.ts';

// Serial: what waits in the database belongs to the test that looks.
const stack = await startStack(test);

test.serial(
  'of twenty requests at once with one key one is done, and all are answered the same',
  async (t) => {
    const client = await stack.newClient();
    const body = JSON.stringify({ title: 'once', description: 'in **bold**' });
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => postForText(stack, client, '/tasks', 'key', body)),
    );
    t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
    t.is(new Set(answers.map(({ text }) => text)).size, 1);
    t.is(answers.filter((answer) => !isReplayed(answer)).length, 1);
    t.deepEqual(await allTitles(client), ['once']);
  },
);

test.serial(
  'a repeating task that is completed twenty times at once under one key is completed once',
  async (t) => {
    const client = await stack.newClient();
    const task = await makeTask(client, { recurrence: { frequency: 'daily' }, dueDate: '2026-11-20' });
    const once = keyed(client, 'key');
    const answers = await Promise.all(
      Array.from({ length: 20 }, () => once.post<Task>(`/tasks/${task.id}/complete`)),
    );
    t.is(new Set(answers.map(({ body }) => JSON.stringify(body))).size, 1);
    t.is((await client.get<Page<Task>>('/tasks?view=logbook')).body.items.length, 1);
  },
);

test.serial('of two different requests at once with one key one is done and the other refused', async (t) => {
  const client = await stack.newClient();
  const once = keyed(client, 'key');
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((title) => once.post('/tasks', { title })));
  const statuses = answers.map(({ status }) => status).toSorted();
  t.deepEqual(statuses, [201, 409, 409, 409]);
  t.is((await allTitles(client)).length, 1);
});

test.serial('what another replica has answered meanwhile is answered the same', async (t) => {
  const client = await stack.newClient();
  const first = await keyed(client, 'first').post<Task>('/tasks', { title: 'once' });
  // As if the other replica had done it under this key.
  const held = await holdAccount(t, stack, client, async (em) => {
    await em.execute(`update tasks.kept_answer set key_hash = sha256('key') where account_id = ?`, [
      client.account.accountId,
    ]);
  });
  const second = keyed(client, 'key').post<Task>('/tasks', { title: 'once' });
  await held.untilAwaited();
  await held.release();
  t.true(isReplayed(await second));
  t.deepEqual((await second).body, first.body);
  t.deepEqual(await allTitles(client), ['once']);
});

test.serial('a request whose caller went away is done once, however often it is sent again', async (t) => {
  const client = await stack.newClient();
  const held = await holdAccount(t, stack, client);
  const lost = openRequest(`${stack.apiRoot}/tasks`, {
    method: 'POST',
    headers: {
      Authorization: `Bearer ${client.token.secret}`,
      'Content-Type': 'application/json',
      'Idempotency-Key': 'key',
    },
  });
  const closed = new Promise((resolve) => lost.once('close', resolve));
  lost.on('error', () => undefined);
  lost.end('{"title":"once"}');
  await held.untilAwaited();
  lost.destroy();
  await closed;
  const again = keyed(client, 'key').post<Task>('/tasks', { title: 'once' });
  await held.release();
  t.is((await again).status, 201);
  const last = await keyed(client, 'key').post<Task>('/tasks', { title: 'once' });
  t.true(isReplayed(last));
  t.is(last.body.id, (await again).body.id);
  t.deepEqual(await allTitles(client), ['once']);
});
