import test from 'ava';
import type { Area, Problem } from '#tests/support/api-types.ts';
import { makeArea } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('a token that may only read can’t change areas', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  const reader = stack.client(await stack.createToken(api.account, { scopes: ['read'] }));
  t.is((await reader.get('/areas')).status, 200);
  t.is((await reader.get(`/areas/${area.id}`)).status, 200);
  for (const answer of [
    await reader.post<Problem>('/areas', { title: 'Home' }),
    await reader.patch<Problem>(`/areas/${area.id}`, { title: 'Home' }),
    await reader.delete<Problem>(`/areas/${area.id}`),
  ]) {
    t.like(answer, { status: 403, body: { errorType: 'authorization', errorCode: 'insufficient_scope' } });
  }
});

test('a token that may only write can’t read areas', async (t) => {
  const api = await stack.newClient({ scopes: ['write'] });
  const area = await makeArea(api);
  t.is((await api.get('/areas')).status, 403);
  t.is((await api.get(`/areas/${area.id}`)).status, 403);
  t.is((await api.patch(`/areas/${area.id}`, { title: 'Home' })).status, 200);
  t.is((await api.delete(`/areas/${area.id}`)).status, 204);
});

test('the areas of a suspended account can be read and not changed', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  await stack.setStatus(api.account, 'suspended');
  t.deepEqual((await api.get<Area>(`/areas/${area.id}`)).body, area);
  for (const answer of [
    await api.post<Problem>('/areas', { title: ' ' }),
    await api.patch<Problem>(`/areas/${area.id}`, { title: 'Home' }),
    await api.delete<Problem>(`/areas/${area.id}`),
  ]) {
    t.like(answer, { status: 423, body: { errorType: 'account', errorCode: 'account_suspended' } });
  }
  await stack.setStatus(api.account, 'active');
  t.deepEqual((await api.get<Area>(`/areas/${area.id}`)).body, area);
});
