import test from 'ava';
import type { Identity, Problem } from '#tests/support/api-types.ts';
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

test('each token sees itself, with the scopes that it has', async (t) => {
  const account = await stack.createAccount();
  const [first, second] = [
    await stack.createToken(account, { name: 'first', scopes: ['read'] }),
    await stack.createToken(account, { name: 'second', scopes: ['read', 'write'] }),
  ];
  t.like((await stack.client(first).get<Identity>('/me')).body, {
    tokenId: first.tokenId,
    tokenName: 'first',
    scopes: ['read'],
  });
  t.like((await stack.client(second).get<Identity>('/me')).body, {
    tokenId: second.tokenId,
    tokenName: 'second',
  });
});

test('/me needs the read scope', async (t) => {
  const api = await stack.newClient({ scopes: ['write'] });
  const answer = await api.get<Problem>('/me');
  t.like(answer, { status: 403, body: { errorType: 'authorization', errorCode: 'insufficient_scope' } });
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

test('/me without a token is a 401, and takes no other method', async (t) => {
  t.is((await stack.anonymous.get('/me')).status, 401);
  const api = await stack.newClient();
  const answer = await api.post<Problem>('/me', {});
  t.is(answer.status, 405);
  t.regex(answer.headers.get('allow') ?? '', /\bGET\b/);
});
