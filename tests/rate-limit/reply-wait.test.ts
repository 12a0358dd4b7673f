import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import { createReplyWait } from '#shared/redis/reply-wait.ts';
import { createCapturedLog } from '../support/captured-log.ts';
import { linesWith, recoveredMessage, unavailableMessage } from './redis-servers.ts';

function createTrial(waitMilliseconds: number) {
  const log = createCapturedLog();
  const available: boolean[] = [];
  const observer = { fellBack: () => undefined, availabilityChanged: (is: boolean) => available.push(is) };
  return {
    ...createReplyWait({ logger: log.loggerFor('test'), observer, waitMilliseconds }),
    log,
    available,
  };
}

test('after a failure no request waits, until a reply comes in time', async (t) => {
  const { send, log, available } = createTrial(60_000);
  t.is(await send(async () => 'reply').inTime, 'reply');
  t.is(await send(() => Promise.reject(new Error('not connected'))).inTime, undefined);
  const { reply, inTime } = send(async () => 'reply');
  t.is(await inTime, undefined);
  t.is(await reply, 'reply');
  t.is(await send(async () => 'reply').inTime, 'reply');
  t.deepEqual(available, [false, true]);
  t.deepEqual([linesWith(log, unavailableMessage), linesWith(log, recoveredMessage)], [1, 1]);
});

test('a late reply is still delivered, and does not end the outage', async (t) => {
  const { send, available } = createTrial(20);
  const slow = Promise.withResolvers<string>();
  const { reply, inTime } = send(() => slow.promise);
  t.is(await inTime, undefined);
  slow.resolve('reply');
  t.is(await reply, 'reply');
  t.deepEqual(available, [false]);
});

/** Replies, and then keeps the whole process busy for longer than is waited. */
async function startBusyServer(t: ExecutionContext): Promise<Socket> {
  const server = createServer((socket) => {
    // The client may leave while this process is busy.
    socket.on('error', () => undefined);
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

test('a reply already received counts, however long the event loop was blocked', async (t) => {
  const client = await startBusyServer(t);
  const { inTime } = createTrial(20).send(async () => {
    client.write('command');
    const [data] = await once(client, 'data');
    return String(data);
  });
  t.is(await inTime, 'reply');
});
