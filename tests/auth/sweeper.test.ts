import test, { type ExecutionContext } from 'ava';
import { sweepExpired } from '#auth-server/sweep/expired-records.ts';
import { createSweeper } from '#shared/sweep/sweeper.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { auditRetentionSeconds, type SweepWorld, startSweepWorld } from './sweep-world.ts';

async function startSweeperWorld(t: ExecutionContext) {
  const world = await startSweepWorld(t);
  const log = createCapturedLog();
  const addSweeper = () => {
    let sweepsBegun = 0;
    const clock = {
      now() {
        sweepsBegun += 1;
        return world.clock.now();
      },
    };
    const sweeper = createSweeper({
      sweep: (signal) => sweepExpired(world.em, clock, { auditRetentionSeconds }, signal),
      logger: log.loggerFor('auth-server'),
      intervalMilliseconds: 1,
    });
    t.teardown(sweeper.stop);
    return { ...sweeper, sweepsBegun: () => sweepsBegun };
  };
  const isGone = async (table: string) => (await world.counts())[table] === 0;
  return { ...world, log: log.lines, addSweeper, isGone };
}

/** Holds sweeps up at the first table, until what it answers is called. */
async function blockSweeps(t: ExecutionContext, { em }: Pick<SweepWorld, 'em'>) {
  const blocked = Promise.withResolvers<void>();
  const release = Promise.withResolvers<void>();
  const transaction = em.fork().transactional(async (holder) => {
    await holder.execute('lock table auth.oauth_token in access exclusive mode');
    blocked.resolve();
    await release.promise;
  });
  t.teardown(() => release.resolve());
  await blocked.promise;
  return async () => {
    release.resolve();
    await transaction;
  };
}

test('it sweeps again and again once it is started', async (t) => {
  const world = await startSweeperWorld(t);
  const { start, sweepsBegun } = world.addSweeper();
  t.is(sweepsBegun(), 0);
  start();
  for (let round = 0; round < 3; round += 1) {
    await world.add.interaction(world.in(0));
    await t.notThrowsAsync(waitFor(() => world.isGone('oauth_interaction')));
  }
});

test('a sweep that fails is logged, and the next one comes', async (t) => {
  const world = await startSweeperWorld(t);
  await world.sql`revoke delete on auth.browser_session from auth_server`;
  await world.add.browserSession(world.in(0));
  world.addSweeper().start();
  const isFailure = ({ level, msg }: { level: number; msg: string }) =>
    level === 50 && msg === 'expired records could not be removed';
  await waitFor(() => world.log.some(isFailure));
  await world.sql`grant delete on auth.browser_session to auth_server`;
  await t.notThrowsAsync(waitFor(() => world.isGone('browser_session')));
});

test('a sweep that takes long is not overtaken by another of the same sweeper, however often it was started', async (t) => {
  const world = await startSweeperWorld(t);
  const release = await blockSweeps(t, world);
  const sweepers = [world.addSweeper(), world.addSweeper()];
  for (const { start } of [...sweepers, ...sweepers]) start();
  await waitFor(() => sweepers.every(({ sweepsBegun }) => sweepsBegun() === 1));
  const waiting = () => world.sql`select from pg_stat_activity where wait_event_type = 'Lock'
    and datname = current_database()`;
  await waitFor(async () => (await waiting()).length >= 2);
  t.deepEqual(
    sweepers.map(({ sweepsBegun }) => sweepsBegun()),
    [1, 1],
  );
  await release();
  await t.notThrowsAsync(waitFor(() => sweepers.every(({ sweepsBegun }) => sweepsBegun() > 1)));
});

test('stopping waits for the batch under way, and no other follows', async (t) => {
  const world = await startSweeperWorld(t);
  await world.add.token(await world.add.grant(world.in(1)), world.in(0));
  await world.add.interaction(world.in(0));
  const release = await blockSweeps(t, world);
  const { start, stop, sweepsBegun } = world.addSweeper();
  start();
  await waitFor(() => sweepsBegun() === 1);
  const order: string[] = [];
  const stopped = stop().then(() => order.push('stopped'));
  const released = release().then(() => order.push('released'));
  await Promise.all([stopped, released]);
  t.deepEqual(order, ['released', 'stopped']);
  t.like(await world.counts(), { oauth_token: 0, oauth_interaction: 1 });

  const another = world.addSweeper();
  await world.add.interaction(world.in(1_000));
  another.start();
  await waitFor(() => another.sweepsBegun() > 5);
  t.is(sweepsBegun(), 1);
});

test('a sweeper that was never started stops at once', async (t) => {
  const world = await startSweeperWorld(t);
  await t.notThrowsAsync(world.addSweeper().stop());
});
