import type { EntityManager } from '@mikro-orm/postgresql';
import test, { type ExecutionContext } from 'ava';
import { queryRows, tellNext } from '#shared/database/query-rows.ts';
import { connectAsOwner } from '../support/connect-as-role.ts';
import { fewestTrips, openCountedStore } from '../support/counted-store.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';
import { startStack } from '../support/stack.ts';

/** A table of numbers, each at most once, and one connection to it. */
async function openNumbers(t: ExecutionContext) {
  const database = await createFreshDatabase({ migrated: false });
  t.teardown(database.drop);
  const orm = await connectAsOwner(t, database.url);
  await orm.em.fork().execute('create table numbers (n integer primary key)');
  const add = (em: EntityManager, n: number) => tellNext(em, 'insert into numbers values (?)', [n]);
  const all = async (em: EntityManager): Promise<number[]> =>
    (await queryRows<{ n: number }>(em, 'select n from numbers order by n', [])).map(({ n }) => n);
  return { em: orm.em.fork(), add, all };
}

test('a statement that is not waited for has happened before the next one, and is committed', async (t) => {
  const { em, add, all } = await openNumbers(t);
  await em.transactional(async (transaction) => {
    await add(transaction, 1);
    t.deepEqual(await all(transaction), [1]);
    await add(transaction, 2);
  });
  t.deepEqual(await all(em), [1, 2]);
});

test('one that fails fails the next one with its reason; nothing is kept, and the connection serves on', async (t) => {
  const { em, add, all } = await openNumbers(t);
  await em.transactional((transaction) => add(transaction, 1));
  const duplicate = { message: /duplicate key/ };
  await t.throwsAsync(
    em.transactional(async (transaction) => {
      await add(transaction, 2);
      await add(transaction, 1);
      await all(transaction);
    }),
    duplicate,
  );
  await t.throwsAsync(
    em.transactional(async (transaction) => {
      await add(transaction, 3);
      await add(transaction, 1);
    }),
    duplicate,
  );
  t.deepEqual(await all(em), [1]);
  await em.transactional((transaction) => add(transaction, 4));
  t.deepEqual(await all(em), [1, 4]);
});

test('outside of a transaction there is no next statement to go with', async (t) => {
  const { em, add, all } = await openNumbers(t);
  await t.throwsAsync(add(em, 1), { message: /outside of a transaction/ });
  t.deepEqual(await all(em), []);
});

test('a write asks PostgreSQL three times: for the token, for the lock, and for the rest with the commit', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const store = await openCountedStore(t, database.url);
  const stack = await startStack(t, { databaseUrl: store.url });
  const client = await stack.newClient();
  const tripsOf = (send: (number: number) => Promise<{ status: number }>) => fewestTrips(t, store, send);
  const title = { title: 'Buy milk' };
  const { id } = (await client.post<{ id: string }>('/tasks', title)).body;
  t.is(await tripsOf(() => client.post('/tasks', title)), 3);
  // This one looks for its key's answer under the lock, these two for the task.
  const keyed = (number: number) => ({ headers: { 'Idempotency-Key': `key-${number}` } });
  t.is(await tripsOf((number) => client.post('/tasks', title, keyed(number))), 4);
  t.is(await tripsOf((number) => client.patch(`/tasks/${id}`, { title: `Buy ${number}` })), 4);
  t.is(
    await tripsOf((number) => client.patch(`/tasks/${id}`, { checklist: [{ title: `Item ${number}` }] })),
    4,
  );
});
