import type { ExecutionContext } from 'ava';
import test from 'ava';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepExpired } from '#resource-api/sweep-expired.ts';
import type { Task } from '#tests/support/api-types.ts';
import { type OwnStack, startStack } from '#tests/support/stack.ts';
import { allTitles, isReplayed, keptAnswers, keyed } from './keyed-requests.ts';

const hourMilliseconds = 3_600_000;

const dayMilliseconds = 24 * hourMilliseconds;

/** A service whose clock stands still, and its sweep, with its rights. */
async function startWorld(t: ExecutionContext) {
  const stack = await startStack(t, { now: '2026-11-20T12:00:00Z' });
  const database = openTasksDatabase({ url: stack.databaseUrl, poolSize: 4, waitMilliseconds: 20_000 });
  t.teardown(() => database.close());
  return { ...stack, em: database.orm.em, sweep: () => sweepExpired(database, stack.clock) };
}

test('after 24 hours a key is free, swept or not', async (t) => {
  const world = await startWorld(t);
  const client = await world.newClient();
  const make = (title: string) => keyed(client, 'key').post<Task>('/tasks', { title });
  const first = await make('one');
  world.clock.advance(dayMilliseconds - 1);
  const lastReplay = await make('one');
  t.deepEqual([isReplayed(lastReplay), lastReplay.body.id], [true, first.body.id]);
  t.is((await make('two')).status, 409);

  world.clock.advance(1);
  const second = await make('two');
  t.deepEqual([second.status, isReplayed(second)], [201, false]);
  world.clock.advance(dayMilliseconds - 1);
  t.is((await make('two')).body.id, second.body.id);
  t.is(await keptAnswers(world, client), 1);

  world.clock.advance(1);
  t.like(await world.sweep(), { kept_answer: 1 });
  t.false(isReplayed(await make('two')));
  t.deepEqual(await allTitles(client), ['one', 'two', 'two']);
});

test('a sweep deletes the records older than 24 hours of every account, and no others', async (t) => {
  const world = await startWorld(t);
  const clients = [await world.newClient(), await world.newClient()];
  const makeAll = async (key: string) => {
    for (const client of clients) await keyed(client, key).post('/tasks', { title: key });
  };
  await makeAll('old');
  world.clock.advance(1);
  await makeAll('young');
  world.clock.advance(dayMilliseconds - 2);
  t.like(await world.sweep(), { kept_answer: 0 });
  world.clock.advance(1);
  t.like(await world.sweep(), { kept_answer: 2 });
  for (const client of clients) {
    t.true(isReplayed(await keyed(client, 'young').post('/tasks', { title: 'young' })));
    t.deepEqual(await allTitles(client), ['old', 'young']);
  }
});

async function addAnswers({ sql, clock }: OwnStack, count: number): Promise<void> {
  await sql`with account as (
      insert into tasks.account_feed (account_id, last_sequence, last_changed_at)
      select gen_random_uuid(), 0, now() from generate_series(1, ${count}) returning account_id)
    insert into tasks.kept_answer (account_id, token_id, key_hash, request_hash, status, body, kept_at)
    select account_id, gen_random_uuid(), sha256('key'), sha256('request'), 201, '{}', ${clock.now()}
    from account`;
}

test('a sweep skips accounts with a write in progress, without waiting', async (t) => {
  const world = await startWorld(t);
  await addAnswers(world, 3);
  world.clock.advance(dayMilliseconds);
  await world.em.fork().transactional(async (em) => {
    await em.execute(`select from tasks.account_feed where account_id in (
      select account_id from tasks.kept_answer where ctid = '(0,2)') for update`);
    await em.execute(`update tasks.kept_answer set kept_at = ? where ctid = '(0,2)'`, [world.clock.now()]);
    t.like(await world.sweep(), { kept_answer: 2 });
  });
  t.like(await world.sweep(), { kept_answer: 0 });
  t.is((await world.sql`select from tasks.kept_answer`).length, 1);
});
