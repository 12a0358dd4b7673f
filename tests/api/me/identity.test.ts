import test from 'ava';
import type { Identity } from '#tests/support/api-types.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('/me names the account, the token, its scopes, the timezone and the plan, and nothing else', async (t) => {
  const account = await stack.createAccount({ plan: 'premium', timezone: 'America/Sao_Paulo' });
  const token = await stack.createToken(account, { name: ' Backup “script” ', scopes: ['read', 'write'] });
  const { status, body } = await stack.client(token).get<Identity>('/me');
  t.is(status, 200);
  t.deepEqual(Object.entries(body), [
    ['accountId', account.accountId],
    ['tokenId', token.tokenId],
    ['tokenName', ' Backup “script” '],
    ['scopes', ['read', 'write']],
    ['timezone', 'America/Sao_Paulo'],
    ['plan', 'premium'],
  ]);
});

test('read is named before write, in whatever order the token was given them', async (t) => {
  const account = await stack.createAccount();
  const token = await stack.createToken(account, { scopes: ['write', 'read'] });
  t.deepEqual((await stack.client(token).get<Identity>('/me')).body.scopes, ['read', 'write']);
});

test('/me answers a suspended account, and shows a changed plan at once', async (t) => {
  const api = await stack.newClient();
  t.like((await api.get<Identity>('/me')).body, { plan: 'free', timezone: 'UTC' });
  await stack.setPlan(api.account, 'premium');
  await stack.setStatus(api.account, 'suspended');
  const { status, body } = await api.get<Identity>('/me');
  t.is(status, 200);
  t.is(body.plan, 'premium');
});
