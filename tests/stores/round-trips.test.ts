import test from 'ava';
import { fewestTrips, openCountedStore } from '../support/counted-store.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { startStack } from '../support/stack.ts';

test('a cached token costs one round trip to Redis, and PostgreSQL is queried only for data', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const { redisUrl } = await startStack(t);
  const [postgresql, redis] = [await openCountedStore(t, database.url), await openCountedStore(t, redisUrl)];
  const stack = await startStack(t, { databaseUrl: postgresql.url, redisUrl: redis.url });
  const client = await stack.newClient();
  const tripsOf = async (send: () => Promise<{ status: number }>): Promise<number[]> => [
    await fewestTrips(t, postgresql, send),
    await fewestTrips(t, redis, send),
  ];
  const title = { title: 'Buy milk' };
  const { id } = (await client.post<{ id: string }>('/tasks', title)).body;
  // Scripts and statements are prepared now, and no connection has to be opened.
  t.deepEqual(await tripsOf(() => client.get('/me')), [0, 1]);
  const { body } = await client.get<{ items: { updatedAt: string }[] }>('/tasks');
  const greatest = body.items
    .map(({ updatedAt }) => updatedAt)
    .toSorted()
    .at(-1);
  t.deepEqual(await tripsOf(() => client.get(`/tasks?view=all&updatedSince=${greatest}`)), [1, 1]);
  t.deepEqual(await tripsOf(() => client.get('/tasks')), [1, 1]);
  t.deepEqual(await tripsOf(() => client.get(`/tasks/${id}`)), [1, 1]);
  const [written, counted = 0] = await tripsOf(() => client.post('/tasks', title));
  t.is(written, 2);
  // The second wakes live streams; the request does not wait for it.
  t.true(counted <= 2);
});
