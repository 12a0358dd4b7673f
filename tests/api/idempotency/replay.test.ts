import { randomUUID } from 'node:crypto';
import { request as openRequest } from 'node:http';
import test from 'ava';
import {
  authorization,
  type HeaderLine,
  parsed,
  plainHeaders,
  requestBytes,
} from '#tests/api/http/raw-exchange.ts';
import { type Answer, answerOf, invalid } from '#tests/api/matrix/problem-answer.ts';
import { bodyOf, makeIds, pathOf, writeOperations } from '#tests/api/matrix/request-fixtures.ts';
import { storedStateOf } from '#tests/api/matrix/stored-state.ts';
import { createTokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import type { Area, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { holdAccount } from './hold-account.ts';
import { allTitles, isReplayed, keptAnswers, keyed, postForText } from './keyed-requests.ts';

const stack = await startStack(test, { withAuthServer: true });

const reused: Answer = { status: 409, errorType: 'conflict', errorCode: 'idempotency_key_reused' };

test('a key with another body, path or id is refused, and nothing is done', async (t) => {
  const client = await stack.newClient();
  const [task, other, project] = [await makeTask(client), await makeTask(client), await makeProject(client)];
  const once = keyed(client, 'key');
  t.is((await once.post(`/tasks/${task.id}/complete`)).status, 200);
  const others: [string, object?][] = [
    [`/tasks/${other.id}/complete`],
    [`/tasks/${task.id}/uncomplete`],
    [`/projects/${task.id}/complete`],
    [`/projects/${project.id}/complete`, { completeChildTasks: true }],
    ['/tasks', { title: 'x' }],
    ['/areas', { title: 'x' }],
  ];
  for (const [path, body] of others) t.deepEqual(answerOf(await once.post(path, body)), reused, path);
  t.is((await client.get<Task>(`/tasks/${task.id}`)).body.status, 'completed');
  t.is((await client.get<Task>(`/tasks/${other.id}`)).body.status, 'open');
  t.true(isReplayed(await once.post(`/tasks/${task.id}/complete`)), 'the first request is still known');
});

test('bodies are compared with case, blanks, order of entries and omitted members', async (t) => {
  const client = await stack.newClient();
  const once = keyed(client, 'key');
  const checklist = [{ title: 'a' }, { title: 'b' }];
  t.is((await once.post('/tasks', { title: 'Tee', checklist })).status, 201);
  const others = [
    { title: 'tee', checklist },
    { title: 'Tee ', checklist },
    { title: 'Tee', checklist: checklist.toReversed() },
    { title: 'Tee' },
    { title: 'Tee', checklist, description: null },
  ];
  for (const body of others) t.deepEqual(answerOf(await once.post('/tasks', body)), reused);
  t.deepEqual(await allTitles(client), ['Tee']);
});

test('each token has keys of its own, of one account or another', async (t) => {
  const client = await stack.newClient();
  const clients = [client, stack.client(await stack.createToken(client.account)), await stack.newClient()];
  for (const [index, one] of clients.entries()) {
    const answer = await keyed(one, 'key').post<Task>('/tasks', { title: `Task ${index}` });
    t.deepEqual([answer.status, isReplayed(answer), answer.body.title], [201, false, `Task ${index}`]);
  }
  t.deepEqual(await allTitles(client), ['Task 0', 'Task 1']);
});

test('what was issued from a token, or anew to an app, shares its keys', async (t) => {
  const client = await stack.newClient();
  const make = (token: string) => keyed(stack.client(token), 'key').post<Task>('/tasks', { title: 'once' });
  const exchange = async () => {
    const { body } = await stack.anonymous.post('/auth/token', { subjectToken: client.token.secret });
    return String(body.accessToken);
  };
  const issuer = await createTokenIssuer(stack);
  const app = await issuer.connectApp(client.account);
  const groups = [
    [client.token.secret, await exchange(), await exchange()],
    [await issuer.issue(app), await issuer.issue(app)],
  ];
  for (const tokens of groups) {
    const replays: boolean[] = [];
    for (const token of tokens) replays.push(isReplayed(await make(token)));
    t.deepEqual(replays, [false, ...tokens.slice(1).map(() => true)]);
  }
  t.deepEqual(await allTitles(client), ['once', 'once']);
});

const longest = '~'.repeat(255);

test('every visible ASCII character may be in a key, of which letters count with their case', async (t) => {
  const client = await stack.newClient();
  const visible = Array.from({ length: 94 }, (_, index) => String.fromCharCode(33 + index)).join('');
  const keys = [visible, visible.toLowerCase(), 'a', 'A', '"quoted"', 'a,b', longest, randomUUID()];
  for (const key of keys) {
    const make = () => keyed(client, key).post<Task>('/tasks', { title: key });
    const [first, again] = [await make(), await make()];
    t.deepEqual([first.status, isReplayed(first), isReplayed(again)], [201, false, true], key);
  }
  t.is((await allTitles(client)).length, keys.length);
});

const malformed: Record<string, HeaderLine[]> = {
  'an empty key': [['Idempotency-Key', '']],
  'a blank key': [['Idempotency-Key', '  ']],
  'a key with a blank': [['Idempotency-Key', 'a b']],
  'a key with a tab': [['Idempotency-Key', 'a\tb']],
  'a key beyond ASCII': [['Idempotency-Key', 'clé']],
  'a key of 256 characters': [['Idempotency-Key', `${longest}~`]],
  'two keys': [
    ['Idempotency-Key', 'a'],
    ['idempotency-key', 'b'],
  ],
  'the same key twice': [
    ['Idempotency-Key', 'a'],
    ['Idempotency-Key', 'a'],
  ],
};

for (const [what, headers] of Object.entries(malformed)) {
  // One after another: an exchange of bytes has less patience than a busy machine may need for all at once.
  test.serial(`${what} is refused by the header’s name, and nothing is done`, async (t) => {
    const client = await stack.newClient();
    const content: HeaderLine[] = [
      ['Content-Type', 'application/json'],
      ['Content-Length', '13'],
    ];
    const lines = [...plainHeaders, authorization(client), ...content, ...headers];
    const bytes = requestBytes('POST', '/api/public/v1/tasks', lines, '{"title":"x"}');
    t.deepEqual(answerOf(parsed(await client.raw(bytes))), invalid('Idempotency-Key'));
    t.deepEqual(await allTitles(client), []);
  });
}

test('GET, PATCH and DELETE ignore the header, whatever it holds', async (t) => {
  const client = await stack.newClient();
  const task = await makeTask(client);
  for (const key of ['key', 'not a key']) {
    const once = keyed(client, key);
    const answers = [
      await once.get('/tasks'),
      await once.get(`/tasks/${task.id}`),
      await once.patch(`/tasks/${task.id}`, { title: `${key} 1` }),
      await once.patch(`/tasks/${task.id}`, { title: `${key} 2` }),
      await once.delete(`/tasks/${task.id}`),
      await once.delete(`/tasks/${task.id}`),
    ];
    t.deepEqual(
      answers.map(({ status, headers }) => [status, headers.get('idempotency-replayed')]),
      [200, 200, 200, 200, 204, 204].map((status) => [status, null]),
    );
    t.is((await client.get<Task>(`/tasks/${task.id}`)).body.title, `${key} 2`);
  }
  t.is(await keptAnswers(stack, client), 0);
});

test('the token exchange ignores the header and stores nothing', async (t) => {
  const client = await stack.newClient();
  const exchange = () =>
    keyed(stack.anonymous, 'key').post('/auth/token', { subjectToken: client.token.secret });
  const [first, second] = [await exchange(), await exchange()];
  t.deepEqual([first.status, second.status], [200, 200]);
  t.not(first.body.accessToken, second.body.accessToken);
  t.deepEqual(await stack.sql`select from tasks.kept_answer where body like '%accessToken%'`, []);
});

test('only the hash of a key is stored', async (t) => {
  const client = await stack.newClient();
  await keyed(client, 'order-4711').post('/tasks', { title: 'x' });
  const { accountId } = client.account;
  const rows = await stack.sql<{ row: string; hash: string }>`select kept_answer::text as row,
    encode(key_hash, 'hex') as hash from tasks.kept_answer where account_id = ${accountId}`;
  t.is(rows.length, 1);
  t.false(rows[0]?.row.includes('order-4711'));
  t.is(rows[0]?.hash.length, 64);
});

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

test('a repeat may spell its JSON and its ids differently, and have another query', async (t) => {
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

test.serial('of twenty requests at once with one key one is done, and all get one answer', async (t) => {
  const client = await stack.newClient();
  const body = JSON.stringify({ title: 'once', description: 'in **bold**' });
  const answers = await Promise.all(
    Array.from({ length: 20 }, () => postForText(stack, client, '/tasks', 'key', body)),
  );
  t.deepEqual([...new Set(answers.map(({ status }) => status))], [201]);
  t.is(new Set(answers.map(({ text }) => text)).size, 1);
  t.is(answers.filter((answer) => !isReplayed(answer)).length, 1);
  t.deepEqual(await allTitles(client), ['once']);
});

test.serial('of two different requests at once with one key one runs, the other is refused', async (t) => {
  const client = await stack.newClient();
  const once = keyed(client, 'key');
  const answers = await Promise.all(['a', 'b', 'c', 'd'].map((title) => once.post('/tasks', { title })));
  const statuses = answers.map(({ status }) => status).toSorted();
  t.deepEqual(statuses, [201, 409, 409, 409]);
  t.is((await allTitles(client)).length, 1);
});

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

test('the record of a long response is small, without HTML; the replay is equal byte for byte', async (t) => {
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
