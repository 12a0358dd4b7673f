import { once } from 'node:events';
import type { RequestListener, ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { text } from 'node:stream/consumers';
import test, { type ExecutionContext } from 'ava';
import { createConnectionDrain } from '#shared/http/connection-drain.ts';
import { createApiServer, listen } from '#shared/http/run-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

const requestBytes = 'GET / HTTP/1.1\r\nHost: localhost\r\n\r\n';
/** Longer than any test waits. */
const graceMilliseconds = 120_000;

async function open(t: ExecutionContext, app: RequestListener) {
  const server = createApiServer(app);
  const drain = createConnectionDrain(server, 0);
  await listen(server, 0, '127.0.0.1');
  t.teardown(() => {
    server.close();
    server.closeAllConnections();
  });
  const { port } = server.address() as AddressInfo;
  const connectClient = async (): Promise<Socket> => {
    const accepted = once(server, 'connection');
    const socket = connect(port, '127.0.0.1');
    t.teardown(() => socket.destroy());
    await Promise.all([accepted, once(socket, 'connect')]);
    return socket;
  };
  const finish = () => {
    let isOver = false;
    void drain.finish(graceMilliseconds).then(() => {
      isOver = true;
    });
    return () => waitFor(() => isOver, { what: 'the end of the drain' });
  };
  const refusing = () => waitFor(() => !server.listening, { what: 'the end of accepting' });
  return { drain, connectClient, finish, refusing };
}

const answerAtOnce: RequestListener = (_req, res) => res.end('answer');

async function exchange(socket: Socket): Promise<string> {
  socket.write(requestBytes);
  const [bytes] = await once(socket, 'data');
  return String(bytes);
}

test('a request that has arrived when its idle connection is about to be closed is answered', async (t) => {
  const { drain, connectClient, finish } = await open(t, answerAtOnce);
  const socket = await connectClient();
  t.regex(await exchange(socket), /\r\nConnection: keep-alive\r\n/);
  drain.begin();
  socket.write(requestBytes);
  const isOver = finish();
  t.regex(await text(socket), /^HTTP\/1.1 200 OK\r\n[\s\S]*Connection: close\r\n[\s\S]*answer$/);
  await isOver();
});

test('connections without a request under way end the drain no later', async (t) => {
  const { drain, connectClient, finish } = await open(t, answerAtOnce);
  const [used, unused] = [await connectClient(), await connectClient()];
  await exchange(used);
  drain.begin();
  await finish()();
  await waitFor(() => used.readableEnded || used.destroyed, { what: 'the end of the used connection' });
  unused.resume();
  await waitFor(() => unused.destroyed, { what: 'the end of the unused connection' });
  t.pass();
});

test('an answer that had begun is sent to its end, and its connection ends with it', async (t) => {
  let begun: ServerResponse | undefined;
  const { drain, connectClient, finish, refusing } = await open(t, (_req, res) => {
    res.write('first,');
    begun = res;
  });
  const socket = await connectClient();
  const received = text(socket);
  socket.write(requestBytes);
  const res = await waitFor(() => begun, { what: 'the request' });
  drain.begin();
  const isOver = finish();
  await refusing();
  res.end('last');
  t.regex(await received, /first,[\s\S]*last/);
  await isOver();
});

for (const expectation of ['the-unexpected', '100-continue']) {
  test(`a request with the expectation «${expectation}» is drained like any other`, async (t) => {
    const { drain, connectClient } = await open(t, answerAtOnce);
    const socket = await connectClient();
    drain.begin();
    const received = text(socket);
    socket.write(`GET / HTTP/1.1\r\nHost: localhost\r\nExpect: ${expectation}\r\n\r\n`);
    t.regex(await received, /\r\nConnection: close\r\n/);
  });
}
