import { request as openRequest } from 'node:http';
import test from 'ava';
import type { Area, Task } from '#tests/support/api-types.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { bodyOf, makeIds, pathOf, writeOperations } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { holdAccount } from './hold-account.ts';
import { allTitles, isReplayed, keyed, postForText } from './keyed-requests.ts';

const stack = await startStack(test);

/** What belongs to a request and not to its answer. */
const ownToEachRequest = ['date', 'x-request-id', 'ratelimit-remaining', 'ratelimit-reset'];

const headersOf = (headers: Headers, ...others: string[]) =>
  [...headers].filter(([name]) => ![...ownToEachRequest, ...others].includes(name));

/** Everything stored of the account, but for the stamp that even a write without changes takes. */
async function storedRows(account: { accountId: string; email: string }) {
  const { account_feed: _stamp, ...rows } = await storedStateOf(stack, account);
  return rows;
}

for (const operation of writeOperations.filter(({ method }) => method === 'post')) {
  test(`${operation.operationId} is done once and answered the same, byte for byte`, async (t) => {
    const client = await stack.newClient({ plan: 'premium' });
    const ids = await makeIds(client);
    if (operation.operationId === 'completeProject') await client.delete(`/tasks/${ids.task}`);
    const [path, body] = [pathOf(operation, ids), JSON.stringify(bodyOf(operation, ids) ?? {})];
    const first = await postForText(stack, client, path, 'key', body);
    t.is(first.status, operation.success.status, first.text);
    t.is(first.headers.get('idempotency-replayed'), null);
    const stored = await storedRows(client.account);
    for (let repeat = 0; repeat < 2; repeat += 1) {
      const again = await postForText(stack, client, path, 'key', body);
      t.deepEqual([again.status, again.text], [first.status, first.text]);
      t.is(again.headers.get('idempotency-replayed'), 'true');
      t.deepEqual(headersOf(again.headers, 'idempotency-replayed'), headersOf(first.headers));
      t.not(again.headers.get('x-request-id'), first.headers.get('x-request-id'));
    }
    t.deepEqual(await storedRows(client.account), stored);
  });
}

test('a replay returns what was deleted since, and does not create it again', async (t) => {
  const client = await stack.newClient();
  const make = () => keyed(client, 'area').post<Area>('/areas', { title: 'Home' });
  const first = await make();
  await client.delete(`/areas/${first.body.id}`);
  const again = await make();
  t.deepEqual([again.status, again.body], [201, first.body]);
  t.is((await client.get(`/areas/${first.body.id}`)).status, 404);

  const { id } = await makeProject(client);
  const makeSection = () => keyed(client, 'section').post(`/projects/${id}/sections`, { title: 'Beds' });
  t.is((await makeSection()).status, 201);
  await client.delete(`/projects/${id}`);
  t.is((await makeSection()).status, 201);
});

test('a request is the same however its JSON and its ids are written, and whatever its query says', async (t) => {
  const client = await stack.newClient();
  const { id } = await makeProject(client);
  const post = (path: string, body: string) => postForText(stack, client, path, 'key', body);
  const first = await post('/tasks', '{"title":"Tee","checklist":[{"title":"a","completed":true}]}');
  const spellings = [
    '{"checklist":[{"completed":true,"title":"a"}],"title":"Tee"}',
    ' {\n"title" : "\\u0054ee", "checklist":[ {"title":"a","completed":true} ] }',
    '{"title":"x","title":"Tee","checklist":[{"title":"a","completed":true}]}',
  ];
  for (const body of spellings) t.is((await post('/tasks', body)).text, first.text, body);
  t.is((await post('/tasks?view=today&verbose', spellings[0] ?? '')).text, first.text);
  t.deepEqual(await allTitles(client), ['Tee']);

  const complete = (path: string, body: string) => postForText(stack, client, path, 'complete', body);
  const done = await complete(`/projects/${id}/complete`, '');
  t.is((await complete(`/projects/${id.toUpperCase()}/complete`, '{}')).text, done.text);
});

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
  'of two concurrent different requests with one key one runs and the other is refused',
  async (t) => {
    const client = await stack.newClient();
    const once = keyed(client, 'key');
    const answers = await Promise.all(['a', 'b', 'c', 'd'].map((title) => once.post('/tasks', { title })));
    const statuses = answers.map(({ status }) => status).toSorted();
    t.deepEqual(statuses, [201, 409, 409, 409]);
    t.is((await allTitles(client)).length, 1);
  },
);

test.serial('a replay on another replica returns the same', async (t) => {
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

test.serial('a request whose client disconnected runs once, however often it is retried', async (t) => {
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

test('the record of a long response is small and has no HTML; the replay is equal byte for byte', async (t) => {
  const client = await stack.newClient();
  const links = Array.from({ length: 200 }, (_, index) => `[number ${index}][a]`).join(' ');
  const description = `${links}\n\n[a]: https://example.com/a-rather-long-address-that-is-repeated`;
  const make = () =>
    postForText(stack, client, '/tasks', 'long', JSON.stringify({ title: 'Links', description }));
  const first = await make();
  t.true(JSON.parse(first.text).descriptionHtml.length > 3 * description.length);
  const [record] = await stack.sql<{
    size: number;
  }>`select octet_length(body) + octet_length(compressed_body) as size
    from tasks.kept_answer where account_id = ${client.account.accountId}`;
  t.true(Number(record?.size) < description.length, `${record?.size} bytes`);
  t.is((await make()).text, first.text);
});
