import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createRedisCircuit } from '#shared/redis/redis-circuit.ts';
import { createCapturedLog } from '../support/captured-log.ts';
import { linesWith, recoveredMessage, unavailableMessage } from './redis-servers.ts';

/** A circuit over a Redis that responds when the test says so, at a time that the test sets. */
function createTrial(waitMilliseconds = 60_000) {
  const log = createCapturedLog();
  const world = { milliseconds: 0, responds: true, commands: 0 };
  const observed: string[] = [];
  const circuit = createRedisCircuit({
    logger: log.loggerFor('test'),
    waitMilliseconds,
    now: () => world.milliseconds,
    observer: { fellBack: () => observed.push('fell back'), circuitChanged: (state) => observed.push(state) },
  });
  const send = () =>
    circuit.run(async () => {
      world.commands += 1;
      if (!world.responds) throw new Error('Command timed out');
      return 'reply';
    });
  return { circuit, world, send, log, observed };
}

test('after a failure no command is sent for a second, then one a second', async (t) => {
  const { world, send, log } = createTrial();
  t.is(await send(), 'reply');
  world.responds = false;
  await t.throwsAsync(send(), { message: 'Command timed out' });
  for (const milliseconds of [0, 500, 999]) {
    world.milliseconds = milliseconds;
    await t.throwsAsync(send(), { message: 'Redis was unavailable a moment ago' });
  }
  t.is(world.commands, 2);

  world.milliseconds = 1_000;
  await Promise.all(Array.from({ length: 10 }, () => t.throwsAsync(send())));
  t.is(world.commands, 3);
  world.milliseconds = 1_999;
  await t.throwsAsync(send());
  t.is(world.commands, 3);
  t.is(linesWith(log, unavailableMessage), 1);
});

test('commands are sent again once one has been answered', async (t) => {
  const { world, send, log } = createTrial();
  world.responds = false;
  await t.throwsAsync(send());
  world.responds = true;
  world.milliseconds = 1_000;
  t.is(await send(), 'reply');
  t.is(await send(), 'reply');
  t.deepEqual([linesWith(log, unavailableMessage), linesWith(log, recoveredMessage)], [1, 1]);
});

test('decisions without Redis are counted, and so is every change of the circuit', async (t) => {
  const { world, send, observed } = createTrial();
  await send();
  world.responds = false;
  await t.throwsAsync(send());
  await t.throwsAsync(send());
  world.responds = true;
  world.milliseconds = 1_000;
  await send();
  t.deepEqual(observed, ['open', 'fell back', 'fell back', 'closed']);
});

test('a command without a reply in time has failed, and a retry that is too slow leaves the circuit open', async (t) => {
  const { circuit, world, log } = createTrial(20);
  const slow = Promise.withResolvers<string>();
  const tooLate = { message: 'Redis did not reply within 20 ms' };
  await t.throwsAsync(
    circuit.run(() => slow.promise),
    tooLate,
  );
  world.milliseconds = 1_000;
  await t.throwsAsync(
    circuit.run(() => slow.promise),
    tooLate,
  );
  slow.resolve('reply');
  await t.throwsAsync(
    circuit.run(async () => 'reply'),
    { message: 'Redis was unavailable a moment ago' },
  );
  t.is(linesWith(log, recoveredMessage), 0);
});

/** Replies, and then keeps the whole process busy for longer than the circuit waits. */
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

test('a reply that lies in the socket counts, however long the process was busy with other things', async (t) => {
  const client = await startBusyServer(t);
  const { circuit } = createTrial(20);
  const reply = circuit.run(async () => {
    client.write('command');
    const [data] = await once(client, 'data');
    return String(data);
  });
  t.is(await reply, 'reply');
});
