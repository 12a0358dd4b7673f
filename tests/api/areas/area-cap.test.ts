import test from 'ava';
import type { Area, Page, Problem } from '#tests/support/api-types.ts';
import { makeArea } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(test);

test('the third area of a free account is refused, and the message states the limit', async (t) => {
  const api = await stack.newClient();
  const areas = [await makeArea(api), await makeArea(api)];
  const refused = await api.post<Problem>('/areas', { title: 'Third' });
  t.like(refused, { status: 403, body: { errorType: 'plan_limit', errorCode: 'area_limit_reached' } });
  t.regex(refused.body.message, /\b2\b/);
  t.deepEqual((await api.get<Page<Area>>('/areas')).body.items, areas);
});

test('a deleted area makes room for another one', async (t) => {
  const api = await stack.newClient();
  const area = await makeArea(api);
  await makeArea(api);
  await api.delete(`/areas/${area.id}`);
  t.is((await api.post('/areas', { title: 'Third' })).status, 201);
  t.is((await api.post('/areas', { title: 'Fourth' })).status, 403);
});

test('Premium lifts the cap, and areas beyond it outlive Premium', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const areas = [await makeArea(api), await makeArea(api), await makeArea(api)];
  await stack.setPlan(api.account, 'free');
  t.deepEqual((await api.get<Page<Area>>('/areas')).body.items, areas);
  t.is((await api.patch(`/areas/${areas[2]?.id}`, { title: 'Still mine' })).status, 200);
  t.is((await api.delete(`/areas/${areas[0]?.id}`)).status, 204);
  t.is((await api.post('/areas', { title: 'Full as it is' })).status, 403);
});

test('a faulty area is refused for its fault before the cap is looked at', async (t) => {
  const api = await stack.newClient();
  await makeArea(api);
  await makeArea(api);
  t.is((await api.post('/areas', { title: ' ' })).status, 400);
});

test('50 parallel creations on a free account leave exactly 2 areas', async (t) => {
  const api = await stack.newClient();
  const answers = await Promise.all(
    Array.from({ length: 50 }, (_, index) => api.post('/areas', { title: `Area ${index}` })),
  );
  const count = (status: number) => answers.filter((answer) => answer.status === status).length;
  t.deepEqual([count(201), count(403)], [2, 48]);
  t.is((await api.get<Page<Area>>('/areas')).body.items.length, 2);
});

test('the cap counts the account’s own areas alone', async (t) => {
  const first = await stack.newClient();
  const second = await stack.newClient();
  await makeArea(first);
  await makeArea(first);
  t.is((await second.post('/areas', { title: 'Mine' })).status, 201);
});
