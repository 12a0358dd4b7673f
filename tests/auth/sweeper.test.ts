import test, { type ExecutionContext } from 'ava';
import { createSweeper } from '#shared/sweep/sweeper.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';
import { waitFor } from '#tests/support/wait-for.ts';

/** A sweeper whose sweeps end when the test says so. */
function addSweeper(t: ExecutionContext) {
  const log = createCapturedLog();
  const sweeps: { signal: AbortSignal; end: PromiseWithResolvers<Record<string, number>> }[] = [];
  const sweeper = createSweeper({
    sweep(signal) {
      const end = Promise.withResolvers<Record<string, number>>();
      sweeps.push({ signal, end });
      return end.promise;
    },
    logger: log.loggerFor('test'),
    intervalMilliseconds: 1,
  });
  t.teardown(async () => {
    for (const { end } of sweeps) end.resolve({});
    await sweeper.stop();
  });
  const nextSweep = (index: number) => waitFor(() => sweeps[index], { what: `sweep ${index}` });
  return { ...sweeper, sweeps, nextSweep, log: log.lines };
}

test('it sweeps again and again once it is started, a failed sweep included, which is logged', async (t) => {
  const { start, sweeps, nextSweep, log } = addSweeper(t);
  t.is(sweeps.length, 0);
  start();
  (await nextSweep(0)).end.resolve({});
  (await nextSweep(1)).end.reject(new Error('failed'));
  (await nextSweep(2)).end.resolve({});
  await nextSweep(3);
  t.deepEqual(
    log.filter(({ level }) => level === 50).map(({ msg }) => msg),
    ['a sweep failed'],
  );
});

test('however often it was started, one sweep is under way', async (t) => {
  const { start, sweeps, nextSweep } = addSweeper(t);
  start();
  start();
  const first = await nextSweep(0);
  t.is(sweeps.length, 1);
  first.end.resolve({});
  await nextSweep(1);
  t.is(sweeps.length, 2);
});

test('stopping aborts the sweep under way, waits for it, and no other follows', async (t) => {
  const { start, stop, sweeps, nextSweep } = addSweeper(t);
  start();
  const { signal, end } = await nextSweep(0);
  const order: string[] = [];
  const stopped = stop().then(() => order.push('stopped'));
  t.true(signal.aborted);
  order.push('ended');
  end.resolve({});
  await stopped;
  t.deepEqual(order, ['ended', 'stopped']);
  t.is(sweeps.length, 1);
});

test('a sweeper that was never started stops at once', async (t) => {
  await t.notThrowsAsync(addSweeper(t).stop());
});
