import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setImmediate } from 'node:timers/promises';
import test, { type ExecutionContext } from 'ava';
import { createRedisCircuit } from '#shared/rate-limit/redis-circuit.ts';
import { waitFor } from '../support/wait-for.ts';
import { awayMessage, backMessage, createRecordedLogger } from './recorded-logger.ts';

/** A circuit over a Redis of which the test says whether it answers, at a time that the test says. */
function createTrial() {
  const { logger, linesWith } = createRecordedLogger();
  const world = { milliseconds: 0, isAnswering: true, commands: 0 };
  const told: string[] = [];
  const circuit = createRedisCircuit({
    logger,
    waitMilliseconds: 60_000,
    now: () => world.milliseconds,
    observer: { fellBack: () => told.push('fell back'), circuitChanged: (state) => told.push(state) },
  });
  const ask = () =>
    circuit.run(async () => {
      world.commands += 1;
      if (!world.isAnswering) throw new Error('Command timed out');
      return 'reply';
    });
  return { world, ask, linesWith, told };
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
  const circuit = createRedisCircuit({ logger, waitMilliseconds: 60_000, now: () => milliseconds });
  await t.throwsAsync(circuit.run(() => Promise.reject(new Error('gone'))));
  milliseconds = 1_000;
  const tried = Promise.withResolvers<string>();
  await t.throwsAsync(
    circuit.run(() => tried.promise),
    { message: 'Redis did not answer a moment ago' },
  );
  tried.resolve('reply');
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

test('whoever decides without Redis is counted, and so is every change of the circuit', async (t) => {
  const { world, ask, told } = createTrial();
  await ask();
  t.deepEqual(told, []);
  world.isAnswering = false;
  await t.throwsAsync(ask());
  await t.throwsAsync(ask());
  t.deepEqual(told, ['open', 'fell back', 'fell back']);
  world.isAnswering = true;
  world.milliseconds = 1_000;
  await t.throwsAsync(ask());
  await ask();
  t.deepEqual(told.toSorted(), ['closed', 'fell back', 'fell back', 'fell back', 'open']);
});

test('a command that is not answered in time has failed, and opens the circuit', async (t) => {
  const { logger, linesWith } = createRecordedLogger();
  const circuit = createRedisCircuit({ logger, waitMilliseconds: 20 });
  const never = new Promise<string>(() => undefined);
  await t.throwsAsync(
    circuit.run(() => never),
    { message: 'Redis did not answer in 20 ms' },
  );
  await t.throwsAsync(
    circuit.run(async () => 'reply'),
    { message: 'Redis did not answer a moment ago' },
  );
  t.is(linesWith(awayMessage), 1);
});

test('a probe that is answered too slowly leaves the circuit open', async (t) => {
  const { logger, linesWith } = createRecordedLogger();
  const clock = { milliseconds: 0, readings: 0 };
  const now = (): number => {
    clock.readings += 1;
    return clock.milliseconds;
  };
  const circuit = createRedisCircuit({ logger, waitMilliseconds: 20, now });
  await t.throwsAsync(circuit.run(() => Promise.reject(new Error('gone'))));

  clock.milliseconds = 1_000;
  const slow = Promise.withResolvers<string>();
  await t.throwsAsync(circuit.run(() => slow.promise));
  const { readings } = clock;
  await waitFor(() => clock.readings > readings, { what: 'the probe to be given up' });
  slow.resolve('reply');
  await setImmediate();
  await t.throwsAsync(circuit.run(async () => 'reply'));
  t.is(linesWith(backMessage), 0);
});

/** Answers, and then keeps the whole process busy for longer than the circuit waits. */
async function startBusyServer(t: ExecutionContext): Promise<Socket> {
  const server = createServer((socket) => {
    socket.on('data', () => {
      socket.write('reply');
      const end = performance.now() + 100;
      while (performance.now() < end);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  t.teardown(() => {
    client.destroy();
    server.close();
  });
  await once(client, 'connect');
  return client;
}

test('an answer that lies in the socket counts, however long the process was busy with other things', async (t) => {
  const client = await startBusyServer(t);
  const { logger } = createRecordedLogger();
  const circuit = createRedisCircuit({ logger, waitMilliseconds: 20 });
  const answered = circuit.run(async () => {
    client.write('command');
    const [reply] = await once(client, 'data');
    return String(reply);
  });
  t.is(await answered, 'reply');
});
