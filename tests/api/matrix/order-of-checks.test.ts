import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import { makeProject } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import {
  type Answer,
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

/** Wrong in its body, and about resources that are not there. */
const everythingWrong = { body: { surplus: 1 }, query: '?view=nope&status=nope&cursor=nope' };

test.serial('the address limit comes before the missing token', async (t) => {
  const client = fromNewAddress(stack.anonymous);
  await useUp(client);
  const answers = await answersOf(operations, async (operation) =>
    answerOf(await send(client, operation, missingIds(), changesFor(operation.method))),
  );
  t.deepEqual(answers, eachWith(operations, rateLimited));
});

test.serial('the invalid token comes before its own used up limit', async (t) => {
  const api = await stack.newClient();
  await useUp(fromNewAddress(api));
  t.deepEqual(answerOf(await fromNewAddress(api).get('/me')), rateLimited);
  await stack.revokeToken(api.token);
  const client = fromNewAddress(api);
  const answers = await answersOf(operations, async (operation) =>
    answerOf(await send(client, operation, missingIds(), changesFor(operation.method))),
  );
  t.deepEqual(answers, eachWith(operations, refused));
});

test.serial('the missing token comes before everything that is wrong with the request', async (t) => {
  const client = fromNewAddress(stack.anonymous);
  const answers = await answersOf(operations, async (operation) =>
    answerOf(await send(client, operation, missingIds(), changesFor(operation.method))),
  );
  t.deepEqual(answers, eachWith(operations, missing));
});

test.serial('the token limit comes before the missing scope', async (t) => {
  const { account } = await stack.newClient();
  for (const scope of ['read', 'write'] as const) {
    const client = stack.client(await stack.createToken(account, { scopes: [scope] }));
    await useUp(fromNewAddress(client));
    const outside = operations.filter((operation) => operation.scope !== scope);
    const caller = fromNewAddress(client);
    const answers = await answersOf(outside, async (operation) =>
      answerOf(await send(caller, operation, missingIds(), changesFor(operation.method))),
    );
    t.deepEqual(answers, eachWith(outside, rateLimited));
  }
});

test.serial('the missing scope comes before the suspension', async (t) => {
  const account = await stack.createAccount({ status: 'suspended' });
  const client = fromNewAddress(stack.client(await stack.createToken(account, { scopes: ['read'] })));
  const answers = await answersOf(writeOperations, async (operation) =>
    answerOf(await send(client, operation, missingIds(), changesFor(operation.method))),
  );
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
  const answers = await answersOf(withBoth, async (operation) =>
    answerOf(await send(client, operation, missingIds(), { query: '?view=nope' })),
  );
  t.deepEqual(answers, eachWith(withBoth, invalid('view')));
});

test.serial('what the members of a body say together comes before what they name', async (t) => {
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

test.serial('what is not there comes before the plan', async (t) => {
  const client = fromNewAddress(await stack.newClient({ plan: 'free' }));
  const deadlineDate = '2026-12-01';
  const nowhere = randomUUID();
  for (const answer of [
    await client.post('/tasks', { title: 'x', deadlineDate, projectId: nowhere }),
    await client.post('/tasks', { title: 'x', deadlineDate, sectionId: nowhere }),
    await client.patch(`/tasks/${nowhere}`, { deadlineDate }),
    await client.patch(`/projects/${nowhere}`, { deadlineDate }),
  ]) {
    t.deepEqual(answerOf(answer), notFound);
  }
});

test.serial('an area that is not there comes before the plan’s cap', async (t) => {
  const client = fromNewAddress(await stack.newClient({ plan: 'free' }));
  for (let project = 0; project < 5; project += 1) await makeProject(client);
  t.is((await client.post('/projects', { title: 'x' })).status, 403);
  t.deepEqual(
    answerOf(await client.post('/projects', { title: 'x', areaId: randomUUID() })),
    invalid('areaId'),
  );
});

test.serial('the plan comes before the state', async (t) => {
  const client = fromNewAddress(await stack.newClient({ plan: 'free' }));
  const { id: projectId } = await makeProject(client);
  await client.post(`/projects/${projectId}/complete`);
  const body = { title: 'x', projectId };
  t.deepEqual(answerOf(await client.post('/tasks', body)), invalidState);
  t.deepEqual(
    answerOf(await client.post('/tasks', { ...body, deadlineDate: '2026-12-01' })),
    premiumRequired,
  );
});

test.serial(
  'a request that breaks every rule is told one after the other as they are put right',
  async (t) => {
    const account = await stack.createAccount({ plan: 'free' });
    const maker = fromNewAddress(stack.client(await stack.createToken(account)));
    const closed = (await makeProject(maker)).id;
    await maker.post(`/projects/${closed}/complete`);
    await stack.setStatus(account, 'suspended');

    const reader = await stack.createToken(account, { scopes: ['read'] });
    await useUp(fromNewAddress(stack.client(reader)));
    const revoked = await stack.createToken(account, { scopes: ['read'] });
    await stack.revokeToken(revoked);
    const crowded = fromNewAddress(stack.client(revoked));
    await useUp(crowded);

    const withFault = { title: ' ', projectId: randomUUID(), deadlineDate: '2026-12-01' };
    const elsewhere = { ...withFault, title: 'x' };
    const inClosed = { ...elsewhere, projectId: closed };
    const freshReader = await stack.createToken(account, { scopes: ['read'] });
    const writer = stack.client(await stack.createToken(account));
    const steps: [string, ApiClient, object, Answer][] = [
      ['address limit', crowded, withFault, rateLimited],
      ['token', fromNewAddress(stack.client(revoked)), withFault, refused],
      ['token limit', fromNewAddress(stack.client(reader)), withFault, rateLimited],
      ['scope', fromNewAddress(stack.client(freshReader)), withFault, outOfScope('write')],
      ['suspension', fromNewAddress(writer), withFault, suspended],
    ];
    for (const [what, client, body, answer] of steps) {
      t.deepEqual(answerOf(await client.post('/tasks', body)), answer, what);
    }

    await stack.setStatus(account, 'active');
    for (const [body, answer] of [
      [withFault, invalid('title')],
      [elsewhere, notFound],
      [inClosed, premiumRequired],
      [{ title: 'x', projectId: closed }, invalidState],
      [{ title: 'x' }, { status: 201 }],
    ] as const) {
      t.deepEqual(answerOf(await fromNewAddress(writer).post('/tasks', body)), answer);
    }
  },
);

/** A GET has no body. */
function changesFor(method: string) {
  return method === 'get' ? { query: everythingWrong.query } : everythingWrong;
}
