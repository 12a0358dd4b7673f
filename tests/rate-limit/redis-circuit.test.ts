import test from 'ava';
import { createRedisCircuit } from '#shared/rate-limit/redis-circuit.ts';
import { awayMessage, backMessage, createRecordedLogger } from './recorded-logger.ts';

/** A circuit over a Redis of which the test says whether it answers, at a time that the test says. */
function createTrial() {
  const { logger, linesWith } = createRecordedLogger();
  const world = { milliseconds: 0, isAnswering: true, commands: 0 };
  const circuit = createRedisCircuit(logger, () => world.milliseconds);
  const ask = () =>
    circuit.run(async () => {
      world.commands += 1;
      if (!world.isAnswering) throw new Error('Command timed out');
      return 'reply';
    });
  return { world, ask, linesWith };
}

test('a command is passed through while Redis answers', async (t) => {
  const { world, ask, linesWith } = createTrial();
  t.is(await ask(), 'reply');
  t.is(await ask(), 'reply');
  t.is(world.commands, 2);
  t.is(linesWith('Redis'), 0);
});

test('after a failure no command is sent for a second, then one a second', async (t) => {
  const { world, ask, linesWith } = createTrial();
  world.isAnswering = false;
  await t.throwsAsync(ask(), { message: 'Command timed out' });
  for (const milliseconds of [0, 1, 500, 999]) {
    world.milliseconds = milliseconds;
    await t.throwsAsync(ask());
  }
  t.is(world.commands, 1);

  world.milliseconds = 1_000;
  await Promise.all(Array.from({ length: 10 }, () => t.throwsAsync(ask())));
  t.is(world.commands, 2);
  world.milliseconds = 1_999;
  await t.throwsAsync(ask());
  t.is(world.commands, 2);
  t.is(linesWith(awayMessage), 1);
});

test('nobody waits for the command that tries whether Redis is back', async (t) => {
  const { logger } = createRecordedLogger();
  let milliseconds = 0;
  const circuit = createRedisCircuit(logger, () => milliseconds);
  await t.throwsAsync(circuit.run(() => Promise.reject(new Error('gone'))));
  milliseconds = 1_000;
  await t.throwsAsync(circuit.run(() => new Promise(() => undefined)));
});

test('commands are passed through again once one has been answered', async (t) => {
  const { world, ask, linesWith } = createTrial();
  world.isAnswering = false;
  await t.throwsAsync(ask());
  world.isAnswering = true;
  world.milliseconds = 1_000;
  await t.throwsAsync(ask());
  t.is(await ask(), 'reply');
  t.deepEqual([linesWith(awayMessage), linesWith(backMessage)], [1, 1]);
});

test('commands that were under way together and all fail are one outage', async (t) => {
  const { world, ask, linesWith } = createTrial();
  world.isAnswering = false;
  await Promise.all(Array.from({ length: 10 }, () => t.throwsAsync(ask())));
  t.is(linesWith(awayMessage), 1);
});
