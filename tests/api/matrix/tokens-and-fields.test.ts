import test from 'ava';
import type { Scope } from '#shared/scopes.ts';
import { createTokenIssuer } from '#tests/api/oauth-tokens/token-issuer.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import type { TestAccount } from '#tests/support/test-accounts.ts';
import { answerOf, authenticationAnswers, invalid, suspended } from './problem-answer.ts';
import {
  answersOf,
  bodyOf,
  eachWith,
  makeIds,
  operations,
  send,
  writeOperations,
} from './request-fixtures.ts';
import { storedStateOf } from './stored-state.ts';

/** A token of an account with exactly these scopes, by the name of its kind. */
type TokenKinds = Record<string, (account: TestAccount, scopes: readonly Scope[]) => Promise<string>>;

/** Every kind of token that the API takes: each is looked up in another way. Needs auth-server. */
async function createTokenKinds(stack: Stack): Promise<TokenKinds> {
  const issuer = await createTokenIssuer(stack);
  const personal = async (account: TestAccount, scopes: readonly Scope[]) =>
    (await stack.createToken(account, { scopes })).secret;
  return {
    'a personal token': personal,
    'an exchanged token': async (account, scopes) => {
      const subjectToken = await personal(account, scopes);
      const answer = await stack.anonymous.post<{ accessToken: string }>('/auth/token', { subjectToken });
      if (answer.status !== 200) throw new Error(`the exchange answers ${answer.status}`);
      return answer.body.accessToken;
    },
    'an app’s token': async (account, scopes) =>
      issuer.issue(await issuer.connectApp(account, { scopes }), { claims: { scope: scopes.join(' ') } }),
  };
}

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { withAuthServer: true });
const owner = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(owner);
const { refused } = authenticationAnswers(stack.baseUrl);
const untouched = await storedStateOf(stack, owner.account);
const kinds = await createTokenKinds(stack);

test.after.always(() => stack.close());

test.after('a refused request changes nothing', async (t) => {
  t.deepEqual(await storedStateOf(stack, owner.account), untouched);
});

const answersTo = (client: ApiClient) =>
  answersOf(operations, async (operation) => answerOf(await send(client, operation, ids)));

for (const [kind, make] of Object.entries(kinds)) {
  test.serial(`every operation serves ${kind} that has its scope`, async (t) => {
    const answers = await answersOf(operations, async (operation) => {
      const api = await stack.newClient({ plan: 'premium' });
      const client = stack.client(await make(api.account, operation.scope ? [operation.scope] : ['read']));
      return answerOf(await send(client, operation, await makeIds(api)));
    });
    t.deepEqual(
      answers,
      eachWith(operations, ({ success }) => ({ status: success.status })),
    );
  });

  test.serial(`a suspended account is read and not written with ${kind}`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const itsIds = await makeIds(api);
    const client = stack.client(await make(api.account, ['read', 'write']));
    await stack.setStatus(api.account, 'suspended');
    const before = await storedStateOf(stack, api.account);
    t.deepEqual(
      await answersOf(operations, async (operation) => answerOf(await send(client, operation, itsIds))),
      eachWith(operations, ({ scope }) => (scope === 'write' ? suspended : { status: 200 })),
    );
    t.deepEqual(await storedStateOf(stack, api.account), before);
  });

  test.serial(`every operation refuses ${kind} from the moment it is revoked`, async (t) => {
    const account = await stack.createAccount();
    const client = stack.client(await make(account, ['read', 'write']));
    t.is((await client.get('/me')).status, 200);
    await stack.sql`update auth.api_token set revoked_at = now() where account_id = ${account.accountId}`;
    await stack.sql`delete from auth.oauth_grant where account_id = ${account.accountId}`;
    await stack.announceChange(account.accountId);
    t.deepEqual(await answersTo(client), eachWith(operations, refused));
  });
}

test.serial('every operation refuses an expired token', async (t) => {
  const token = await stack.createToken(owner.account, { expiresAt: new Date(Date.now() - 1_000) });
  t.deepEqual(await answersTo(stack.client(token)), eachWith(operations, refused));
});

test.serial('every unknown member is named, beside what else is wrong', async (t) => {
  for (const operation of operations.filter(({ body }) => body !== undefined)) {
    const answer = answerOf(
      await send(owner, operation, ids, { body: { one: 1, 'two.three': 2, title: 3 } }),
    );
    t.is(answer.status, 400, operation.operationId);
    t.true(answer.fields?.includes('one'), operation.operationId);
    t.true(answer.fields?.includes('two.three'), operation.operationId);
  }
});

test.serial('what a response shows and a request can’t set is refused by name', async (t) => {
  const readOnly = ['id', 'descriptionHtml', 'createdAt', 'updatedAt', 'accountId'];
  const answers = await answersOf(writeOperations, async (operation) => {
    const body = { ...bodyOf(operation, ids), ...Object.fromEntries(readOnly.map((name) => [name, null])) };
    return answerOf(await send(owner, operation, ids, { body }));
  });
  t.deepEqual(answers, eachWith(writeOperations, invalid(...readOnly)));
});
