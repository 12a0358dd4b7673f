import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { authorization, type HeaderLine, parsed, plainHeaders, requestBytes } from '../http/raw-exchange.ts';
import { type Answer, answerOf, invalid } from '../matrix/problem-answer.ts';
import { createTokenIssuer } from '../oauth-tokens/token-issuer.ts';
import { allTitles, isReplayed, keptAnswers, keyed } from './keyed-requests.ts';

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
