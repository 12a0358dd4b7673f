import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { Operation } from '#shared/http/operation.ts';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { withOneCounter } from '../http/one-counter.ts';
import {
  answerOf,
  authenticationAnswers,
  invalid,
  invalidState,
  notFound,
  premiumRequired,
  rateLimited,
  suspended,
} from './problem-answer.ts';
import {
  answersOf,
  bodyOf,
  eachWith,
  missingIds,
  operations,
  readOperations,
  send,
  writeOperations,
} from './request-fixtures.ts';

/** Each lets a test ask every operation once. */
const limitPerToken = operations.length + 2;

const limitPerAddress = 2 * limitPerToken;

const stack = await startStack(test, {
  requestsPerTokenPerMinute: limitPerToken,
  requestsPerAddressPerMinute: limitPerAddress,
});

const { missing, refused, outOfScope } = authenticationAnswers(stack.baseUrl);

/** Every test calls from addresses of its own, so that only the address limit's own test comes near it. */
let addresses = 0;

function fromNewAddress(client: ApiClient): ApiClient {
  addresses += 1;
  return client.with({ 'X-Forwarded-For': `198.18.${addresses >> 8}.${addresses & 255}` });
}

/** Sends requests until one is refused: how many it takes is the limits' own tests' business. */
async function useUp(client: ApiClient): Promise<void> {
  const request = async () => (await client.get('/me')).status;
  const patience = { intervalMilliseconds: 0, timeoutMilliseconds: 50_000, what: 'a used up limit' };
  await waitFor(async () => (await request()) === 429, patience);
}

/** Wrong in its query, in its body (a GET has none), and about resources that are not there. */
function sendEverythingWrong(client: ApiClient, operation: Operation): Promise<ApiResponse> {
  const query = '?view=nope&status=nope&cursor=nope';
  const body = operation.method === 'get' ? undefined : { surplus: 1 };
  return send(client, operation, missingIds(), { query, body });
}

const answersTo = (client: ApiClient, some = operations) =>
  answersOf(some, async (operation) => answerOf(await sendEverythingWrong(client, operation)));

test.serial('the address limit comes before the missing token', async (t) => {
  const answers = await withOneCounter(stack, async () => {
    const client = fromNewAddress(stack.anonymous);
    await useUp(client);
    return answersTo(client);
  });
  t.deepEqual(answers, eachWith(operations, rateLimited));
});

test.serial('the invalid token precedes its exhausted limit', async (t) => {
  const { whileGood, answers } = await withOneCounter(stack, async () => {
    const api = await stack.newClient();
    await useUp(fromNewAddress(api));
    const whileGood = answerOf(await fromNewAddress(api).get('/me'));
    await stack.revokeToken(api.token);
    return { whileGood, answers: await answersTo(fromNewAddress(api)) };
  });
  t.deepEqual(whileGood, rateLimited);
  t.deepEqual(answers, eachWith(operations, refused));
});

test.serial('the missing token comes before everything that is wrong with the request', async (t) => {
  const answers = await answersTo(fromNewAddress(stack.anonymous));
  t.deepEqual(answers, eachWith(operations, missing));
});

for (const [scope, outside] of [
  ['read', writeOperations],
  ['write', readOperations],
] as const) {
  test.serial(`the token limit comes before the scope that a token for ${scope} lacks`, async (t) => {
    const answers = await withOneCounter(stack, async () => {
      const account = await stack.createAccount();
      const client = stack.client(await stack.createToken(account, { scopes: [scope] }));
      await useUp(fromNewAddress(client));
      return answersTo(fromNewAddress(client), outside);
    });
    t.deepEqual(answers, eachWith(outside, rateLimited));
  });
}

test.serial('the missing scope comes before the suspension', async (t) => {
  const account = await stack.createAccount({ status: 'suspended' });
  const client = fromNewAddress(stack.client(await stack.createToken(account, { scopes: ['read'] })));
  const answers = await answersTo(client, writeOperations);
  t.deepEqual(answers, eachWith(writeOperations, outOfScope('write')));
});

test.serial('the suspension comes before the body and the ids', async (t) => {
  const account = await stack.createAccount({ status: 'suspended' });
  for (const body of [{ surplus: 1 }, '{']) {
    const client = fromNewAddress(stack.client(await stack.createToken(account)));
    const answers = await answersOf(writeOperations, async (operation) =>
      answerOf(await send(client, operation, missingIds(), { body })),
    );
    t.deepEqual(answers, eachWith(writeOperations, suspended));
  }
});

test.serial('the body comes before the id, malformed or missing', async (t) => {
  const withId = writeOperations.filter(({ path }) => path.includes('{'));
  const malformed = { task: 'x', section: 'x', project: 'x', area: 'x' };
  for (const ids of [missingIds(), malformed]) {
    const client = fromNewAddress(await stack.newClient());
    const answers = await answersOf(withId, async (operation) =>
      answerOf(await send(client, operation, ids, { body: { ...bodyOf(operation, ids), surplus: 1 } })),
    );
    t.true(
      Object.values(answers).every(({ status, fields }) => status === 400 && fields?.includes('surplus')),
      JSON.stringify(answers),
    );
  }
});

test.serial('the query comes before the id', async (t) => {
  const client = fromNewAddress(await stack.newClient());
  const withBoth = operations.filter(({ path, query }) => path.includes('{') && query !== undefined);
  t.true(withBoth.length > 0);
  for (const name of ['view', 'cursor']) {
    const answers = await answersOf(withBoth, async (operation) =>
      answerOf(await send(client, operation, missingIds(), { query: `?${name}=nope` })),
    );
    t.deepEqual(answers, eachWith(withBoth, invalid(name)));
  }
});

test.serial('checks between members of a body precede look-ups', async (t) => {
  const client = fromNewAddress(await stack.newClient());
  const projectId = randomUUID();
  for (const [body, field] of [
    [{ title: 'x', projectId, list: 'inbox' }, 'list'],
    [{ title: 'x', projectId, reminderTime: '09:00' }, 'reminderTime'],
  ] as const) {
    t.deepEqual(answerOf(await client.post('/tasks', body)), invalid(field));
  }
  const answer = await client.post(`/tasks/${randomUUID()}/move`, { projectId, list: 'inbox' });
  t.deepEqual(answerOf(answer), invalid('list'));
});

test.serial('the body comes before the look-up, that before the plan, that before the state', async (t) => {
  const client = fromNewAddress(await stack.newClient({ plan: 'free' }));
  const closed = (await makeProject(client)).id;
  await client.post(`/projects/${closed}/complete`);
  const deadlineDate = '2026-12-01';
  for (const [body, answer] of [
    [{ title: ' ', projectId: randomUUID(), deadlineDate }, invalid('title')],
    [{ title: 'x', projectId: randomUUID(), deadlineDate }, notFound],
    [{ title: 'x', projectId: closed, deadlineDate }, premiumRequired],
    [{ title: 'x', projectId: closed }, invalidState],
    [{ title: 'x' }, { status: 201 }],
  ] as const)
    t.deepEqual(answerOf(await client.post('/tasks', body)), answer);
});
