import { randomUUID } from 'node:crypto';
import test from 'ava';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, authenticationAnswers, suspended } from './problem-answer.ts';
import {
  answersOf,
  eachWith,
  makeIds,
  operations,
  readOperations,
  send,
  writeOperations,
} from './request-fixtures.ts';
import { storedStateOf } from './stored-state.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const owner = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(owner);
const { missing, refused, outOfScope } = authenticationAnswers(stack.baseUrl);
const untouched = await storedStateOf(stack, owner.account);

test.after.always(() => stack.close());

test.after('a refused request changes nothing', async (t) => {
  t.deepEqual(await storedStateOf(stack, owner.account), untouched);
});

const answersTo = (client: ApiClient, some = operations) =>
  answersOf(some, async (operation) => answerOf(await send(client, operation, ids)));

test.serial('every operation serves its account’s token', async (t) => {
  const answers = await answersOf(operations, async (operation) => {
    const api = await stack.newClient({ plan: 'premium' });
    return answerOf(await send(api, operation, await makeIds(api)));
  });
  t.deepEqual(
    answers,
    eachWith(operations, ({ success }) => ({ status: success.status })),
  );
});

test.serial('every operation asks for a token', async (t) => {
  t.deepEqual(await answersTo(stack.anonymous), eachWith(operations, missing));
});

for (const [fault, header] of [
  ['of another scheme', `Basic ${btoa('user:password')}`],
  ['that names the scheme alone', 'Bearer'],
  ['without a scheme', owner.token.secret],
  ['with something behind the token', `Bearer ${owner.token.secret} x`],
  ['with two tokens', `Bearer ${owner.token.secret}, Bearer ${owner.token.secret}`],
] as const) {
  test.serial(`every operation refuses an Authorization header ${fault}`, async (t) => {
    const client = stack.anonymous.with({ Authorization: header });
    t.deepEqual(await answersTo(client), eachWith(operations, refused));
  });
}

test.serial('every operation refuses a token with a typo', async (t) => {
  const { secret } = owner.token;
  const typo = secret.endsWith('0') ? `${secret.slice(0, -1)}1` : `${secret.slice(0, -1)}0`;
  t.deepEqual(await answersTo(stack.client(typo)), eachWith(operations, refused));
});

test.serial('every operation refuses a token that was never issued', async (t) => {
  t.deepEqual(await answersTo(stack.client(mintApiToken())), eachWith(operations, refused));
  t.deepEqual(await answersTo(stack.client(randomUUID())), eachWith(operations, refused));
});

test.serial('every operation refuses a revoked token', async (t) => {
  const token = await stack.createToken(owner.account);
  await stack.revokeToken(token);
  t.deepEqual(await answersTo(stack.client(token)), eachWith(operations, refused));
});

test.serial('every operation refuses an expired token', async (t) => {
  const token = await stack.createToken(owner.account, { expiresAt: new Date(Date.now() - 1_000) });
  t.deepEqual(await answersTo(stack.client(token)), eachWith(operations, refused));
});

test.serial('reading takes the scope read, which writing does not bring along', async (t) => {
  const token = await stack.createToken(owner.account, { scopes: ['write'] });
  t.deepEqual(
    await answersTo(stack.client(token), readOperations),
    eachWith(readOperations, outOfScope('read')),
  );
});

test.serial('writing takes the scope write, which reading does not bring along', async (t) => {
  const token = await stack.createToken(owner.account, { scopes: ['read'] });
  t.deepEqual(
    await answersTo(stack.client(token), writeOperations),
    eachWith(writeOperations, outOfScope('write')),
  );
});

test.serial('each scope by itself is enough for its own operations', async (t) => {
  const answers = await answersOf(operations, async (operation) => {
    const api = await stack.newClient({ plan: 'premium' });
    const token = await stack.createToken(api.account, { scopes: operation.scope ? [operation.scope] : [] });
    return answerOf(await send(stack.client(token), operation, await makeIds(api)));
  });
  t.deepEqual(
    answers,
    eachWith(operations, ({ success }) => ({ status: success.status })),
  );
});

test.serial('a suspended account is read and not written', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const itsIds = await makeIds(api);
  await stack.setStatus(api.account, 'suspended');
  const before = await storedStateOf(stack, api.account);
  t.deepEqual(
    await answersOf(operations, async (operation) => answerOf(await send(api, operation, itsIds))),
    eachWith(operations, ({ scope }) => (scope === 'write' ? suspended : { status: 200 })),
  );
  t.deepEqual(await storedStateOf(stack, api.account), before);
});
