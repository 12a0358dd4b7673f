import { connect } from 'node:net';
import { text } from 'node:stream/consumers';

/** Sends bytes over a connection of their own and reads the first response up to the connection's end. */
export async function sendRaw(
  origin: string,
  requestBytes: string | Uint8Array,
): Promise<{ status: number; headers: Headers; body: string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.setTimeout(10_000, () => socket.destroy(new Error('the server kept the connection open for 10 s')));
  socket.write(requestBytes);
  const received = await text(socket);
  socket.destroy();
  const [head = '', ...body] = received.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  if (!Number.isInteger(status))
    throw new Error(`no HTTP response: ${JSON.stringify(received.slice(0, 200))}`);
  const headers = headerLines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status, headers: new Headers(headers), body: body.join('\r\n\r\n') };
}
