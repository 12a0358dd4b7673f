import test from 'ava';
import { createTokenKinds } from '#tests/security/kinds-of-tokens.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { answerOf, authenticationAnswers, suspended } from './problem-answer.ts';
import { answersOf, eachWith, makeIds, operations, send } from './request-fixtures.ts';
import { storedStateOf } from './stored-state.ts';

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
