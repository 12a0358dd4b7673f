import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import test from 'ava';
import { createGracefulStop } from '#shared/http/graceful-stop.ts';
import { createApiServer } from '#shared/http/run-server.ts';
import { listenOnFreePort } from '#tests/support/in-process-server.ts';
import { waitFor } from '#tests/support/wait-for.ts';

test('a response that began before the stop is completed, and its connection then closed', async (t) => {
  let begun: ServerResponse | undefined;
  const server = createApiServer((_req, res) => {
    res.write('first,');
    begun = res;
  });
  const stop = createGracefulStop(server);
  const { port, close } = await listenOnFreePort(server);
  t.teardown(close);
  const socket = connect(port, '127.0.0.1');
  const received = text(socket);
  await once(socket, 'connect');
  socket.write('GET / HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const res = await waitFor(() => begun, { what: 'the request' });
  stop.begin();
  let isOver = false;
  void stop.finish(120_000).then(() => {
    isOver = true;
  });
  await waitFor(() => !server.listening, { what: 'the end of accepting' });
  res.end('last');
  await waitFor(() => isOver, { what: 'the end of the stop' });
  t.regex(await received, /first,[\s\S]*last/);
});
