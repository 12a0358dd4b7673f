import test from 'ava';
import { connectTasksDatabase } from '#resource-api/database/tasks-orm.ts';
import { createAccountTurns } from '#resource-api/sync/account-turns.ts';
import { databaseTimeLeft, withDatabaseTime } from '#shared/database/request-budget.ts';
import { createCapturedLog } from '../support/captured-log.ts';
import { createFreshDatabase } from '../support/fresh-database.ts';

test('who has used up the time for the database is refused before anything is sent', async (t) => {
  const database = await createFreshDatabase({ migrated: true });
  t.teardown(database.drop);
  const log = createCapturedLog();
  const options = { url: database.url, poolSize: 2, waitMilliseconds: 20_000, logger: log.loggerFor('test') };
  const orm = await connectTasksDatabase(options);
  t.teardown(() => orm.close(true));
  const ask = (statement: string) => orm.em.fork().execute(statement);

  await withDatabaseTime(0, () =>
    t.throwsAsync(ask('select 1'), { message: /waited for the database long enough/ }),
  );
  await withDatabaseTime(3_000, () =>
    t.throwsAsync(ask('select pg_sleep(11)'), { message: /not answered in/ }),
  );
  t.is((await ask('select 1')).length, 1);
  t.deepEqual(log.lines, []);
});

test('a write waits for its turn at its request’s expense, and leaves some time for itself', async (t) => {
  const { promise: isDone, resolve: finish } = Promise.withResolvers<void>();
  const { write } = createAccountTurns();
  const earlier = write('account', () => isDone);
  await withDatabaseTime(300, async () => {
    const startedAt = performance.now();
    await t.throwsAsync(
      write('account', async () => t.fail()),
      { code: 'service_unavailable' },
    );
    const waitedMilliseconds = performance.now() - startedAt;
    // Seven tenths of the time; Node's timers may fire a millisecond early.
    t.true(databaseTimeLeft() <= 91);
    t.true(databaseTimeLeft() >= 300 - waitedMilliseconds);
  });
  finish();
  await earlier;
  t.is(await write('account', async () => 'done'), 'done');
});
