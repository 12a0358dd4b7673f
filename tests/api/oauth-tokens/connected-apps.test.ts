import test from 'ava';
import type { Identity } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, authenticationAnswers, suspended } from '../matrix/problem-answer.ts';
import {
  answersOf,
  eachWith,
  makeIds,
  operations,
  readOperations,
  send,
  writeOperations,
} from '../matrix/request-fixtures.ts';
import { createTokenIssuer } from './token-issuer.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const issuer = await createTokenIssuer(stack);
test.after.always(() => stack.close());
const { refused, outOfScope } = authenticationAnswers(stack.baseUrl);

test('every operation serves the access token of a connected app', async (t) => {
  const answers = await answersOf(operations, async (operation) => {
    const api = await stack.newClient({ plan: 'premium' });
    const client = stack.client(await issuer.issue(await issuer.connectApp(api.account)));
    return answerOf(await send(client, operation, await makeIds(api)));
  });
  t.deepEqual(
    answers,
    eachWith(operations, ({ success }) => ({ status: success.status })),
  );
});

test('/me names the connected app where it would name a personal token', async (t) => {
  const account = await stack.createAccount({ plan: 'premium', timezone: 'Europe/Berlin' });
  const app = await issuer.connectApp(account, { name: 'Assistant “7” <b>' });
  const { status, body } = await stack.client(await issuer.issue(app)).get<Identity>('/me');
  t.is(status, 200);
  t.deepEqual(body, {
    accountId: account.accountId,
    tokenId: app.grantId,
    tokenName: 'Assistant “7” <b>',
    scopes: ['read', 'write'],
    timezone: 'Europe/Berlin',
    plan: 'premium',
  });
});

test('an app whose client is a metadata document is served like any other', async (t) => {
  const clientId = 'https://client.example/oauth/metadata.json?v=1';
  const app = await issuer.connectApp(await stack.createAccount(), { clientId });
  t.is((await stack.client(await issuer.issue(app)).get('/me')).status, 200);
});

for (const [scope, served, refusedOperations, missing] of [
  ['read', readOperations, writeOperations, 'write'],
  ['write', writeOperations, readOperations, 'read'],
] as const) {
  test(`an access token for ${scope} alone has no other scope`, async (t) => {
    const own = await stack.newClient({ plan: 'premium' });
    const ids = await makeIds(own);
    const narrowToken = await issuer.issue(await issuer.connectApp(own.account), { claims: { scope } });
    const narrowGrant = await issuer.issue(await issuer.connectApp(own.account, { scopes: [scope] }));
    for (const token of [narrowToken, narrowGrant]) {
      const answers = await answersOf(refusedOperations, async (operation) =>
        answerOf(await send(stack.client(token), operation, ids)),
      );
      t.deepEqual(answers, eachWith(refusedOperations, outOfScope(missing)));
    }
    const answers = await answersOf(served, async (operation) => {
      const api = await stack.newClient({ plan: 'premium' });
      const app = await issuer.connectApp(api.account, { scopes: [scope] });
      return answerOf(await send(stack.client(await issuer.issue(app)), operation, await makeIds(api)));
    });
    t.deepEqual(
      answers,
      eachWith(served, ({ success }) => ({ status: success.status })),
    );
  });
}

test('a token and a grant that have no scope in common allow nothing', async (t) => {
  const app = await issuer.connectApp(await stack.createAccount(), { scopes: ['write'] });
  const client = stack.client(await issuer.issue(app, { claims: { scope: 'read' } }));
  t.deepEqual(answerOf(await client.get('/me')), outOfScope('read'));
  t.deepEqual(answerOf(await client.post('/tasks', { title: 'x' })), outOfScope('write'));
});

test('scopes that the API does not know count for nothing', async (t) => {
  const app = await issuer.connectApp(await stack.createAccount());
  const client = stack.client(await issuer.issue(app, { claims: { scope: 'admin read readwrite' } }));
  t.deepEqual((await client.get<Identity>('/me')).body.scopes, ['read']);
});

test('a suspended account is read and not written by its apps', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const ids = await makeIds(api);
  const client = stack.client(await issuer.issue(await issuer.connectApp(api.account)));
  await stack.setStatus(api.account, 'suspended');
  t.deepEqual(
    await answersOf(operations, async (operation) => answerOf(await send(client, operation, ids))),
    eachWith(operations, ({ scope }) => (scope === 'write' ? suspended : { status: 200 })),
  );
});

test('an app reaches the data of its own account alone', async (t) => {
  const [own, other] = [await stack.newClient(), await stack.newClient()];
  const task = await makeTask(other);
  const client = stack.client(await issuer.issue(await issuer.connectApp(own.account)));
  t.is((await client.get(`/tasks/${task.id}`)).status, 404);
  t.is((await client.delete(`/tasks/${task.id}`)).status, 404);
  t.deepEqual((await client.get('/tasks?view=all')).body.items, []);
});

test('every operation refuses an app from the moment it is disconnected', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const ids = await makeIds(api);
  const app = await issuer.connectApp(api.account);
  const client = stack.client(await issuer.issue(app));
  t.is((await client.get('/me')).status, 200);
  await issuer.disconnect(app);
  t.deepEqual(
    await answersOf(operations, async (operation) => answerOf(await send(client, operation, ids))),
    eachWith(operations, refused),
  );
});
