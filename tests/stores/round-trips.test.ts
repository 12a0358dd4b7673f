import test from 'ava';
import { fewestTrips, openCountedStore } from '../support/counted-store.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { startStack } from '../support/stack.ts';

test('each limit is one exchange with Redis, the token one with PostgreSQL', async (t) => {
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
  await client.post('/tasks', title);
  // Scripts and statements are prepared now, and no connection has to be opened.
  t.deepEqual(await tripsOf(() => client.get('/me')), [1, 2]);
  t.deepEqual(await tripsOf(() => client.get('/tasks?view=all&updatedSince=2999-01-01T00:00:00Z')), [2, 2]);
  t.deepEqual(await tripsOf(() => client.get('/tasks')), [2, 2]);
  t.deepEqual(await tripsOf(() => client.post('/tasks', title)), [3, 2]);
});
