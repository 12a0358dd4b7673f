import test from 'ava';
import { openWireCounter } from '../../bench/measure/wire-counter.ts';
import { throughPort } from '../support/behind-proxy.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { startStack } from '../support/stack.ts';

test('a request of a known token asks Redis once, and a read of the token’s own account PostgreSQL once', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const { redisUrl } = await startStack(t);
  const open = async (url: string) => {
    const counter = await openWireCounter(Number(new URL(url).port));
    t.teardown(() => counter[Symbol.asyncDispose]());
    return { counter, url: throughPort(url, counter.port) };
  };
  const [postgresql, redis] = [await open(database.url), await open(redisUrl)];
  const stack = await startStack(t, { databaseUrl: postgresql.url, redisUrl: redis.url });
  const client = await stack.newClient();
  const counts = () => [postgresql.counter.roundTrips(), redis.counter.roundTrips()];
  const tripsOf = async (send: () => Promise<{ status: number }>): Promise<number[]> => {
    const before = counts();
    t.true((await send()).status < 300);
    return counts().map((count, index) => count - (before[index] ?? 0));
  };
  /** The fewest of some: uses of tokens are noted beside requests. */
  const fewestOf = async (send: () => Promise<{ status: number }>): Promise<number[]> => {
    const trips: number[][] = [];
    for (let number = 0; number < 5; number += 1) trips.push(await tripsOf(send));
    return [0, 1].map((store) => Math.min(...trips.map((of) => of[store] ?? Number.NaN)));
  };
  const title = { title: 'Buy milk' };
  await client.post('/tasks', title);
  // Scripts and statements are prepared now, and no connection has to be opened.
  const newcomer = await stack.newClient();
  t.is((await tripsOf(() => newcomer.get('/me')))[1], 2);
  t.deepEqual(await fewestOf(() => client.get('/me')), [1, 1]);
  t.deepEqual(await fewestOf(() => client.get('/tasks?view=all&updatedSince=2999-01-01T00:00:00Z')), [1, 1]);
  t.deepEqual(await fewestOf(() => client.get('/tasks')), [2, 1]);
  t.deepEqual(await fewestOf(() => client.post('/tasks', title)), [3, 1]);
});
