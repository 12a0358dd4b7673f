import test from 'ava';
import type { Identity, Problem } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';

const stack = await startStack(test, { withAuthServer: true });

async function exchange({ anonymous }: Stack, subjectToken: string, more: Record<string, string> = {}) {
  const { status, body } = await anonymous.post('/auth/token', { subjectToken, ...more });
  if (status !== 200) throw new Error(`the exchange was answered with ${status}`);
  return String(body.accessToken);
}

test('an exchanged token works as its personal token does', async (t) => {
  const api = await stack.newClient();
  const client = stack.client(await exchange(stack, api.token.secret));
  const task = await makeTask(client);
  t.is((await api.get(`/tasks/${task.id}`)).status, 200);
  const { body } = await client.get<Identity>('/me');
  t.like(body, { accountId: api.account.accountId, tokenId: api.token.tokenId, scopes: ['read', 'write'] });
});

test('a narrower token can do no more than it says', async (t) => {
  const api = await stack.newClient();
  const client = stack.client(await exchange(stack, api.token.secret, { scope: 'read' }));
  t.deepEqual((await client.get<Identity>('/me')).body.scopes, ['read']);
  const refused = await client.post<Problem>('/tasks', { title: 'x' });
  t.is(refused.status, 403);
  t.is(refused.body.errorCode, 'insufficient_scope');
});

test('revoking the personal token stops its access tokens at the next request', async (t) => {
  const api = await stack.newClient();
  const client = stack.client(await exchange(stack, api.token.secret));
  t.is((await client.get('/me')).status, 200);
  await stack.revokeToken(api.token);
  t.is((await client.get<Problem>('/me')).body.errorCode, 'token_invalid');
});

test('an access token ends with its lifetime', async (t) => {
  const own = await startStack(t, { withAuthServer: true, environment: { ACCESS_TOKEN_TTL_SECONDS: '60' } });
  const api = await own.newClient();
  const client = own.client(await exchange(own, api.token.secret));
  own.clock.advance(50_000);
  t.is((await client.get('/me')).status, 200);
  own.clock.advance(20_000);
  t.is((await client.get('/me')).status, 401);
  t.is((await api.get('/me')).status, 200);
});
