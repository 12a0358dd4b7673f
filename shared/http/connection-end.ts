import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Duplex } from 'node:stream';

/** How long a caller that is still sending has to notice its answer. */
const lingerMilliseconds = 10_000;

/** Whether some of the request's body has not arrived. */
export function isBodyComing({ headers, complete }: IncomingMessage): boolean {
  if (complete) return false;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/**
 * Has the connection end with this answer, whose head is not out yet. Who answers before the body has come would have
 * to read the rest of it for the sake of the next request (RFC 9112 §9.3).
 */
export function endWithAnswer(res: ServerResponse): void {
  const { socket } = res.req;
  res.setHeader('Connection', 'close');
  // What Node calls when the answer is out.
  socket.destroySoon = () => closeInStages(socket);
}

/**
 * Ends a connection on which more may be coming (RFC 9112 §9.6): closed at once it would be reset, and a reset can
 * take the answer from a caller who has not read it. What comes is no request any more.
 */
export function closeInStages(socket: Duplex): void {
  socket.end();
  socket.removeAllListeners('data');
  socket.on('data', () => undefined);
  socket.resume();
  const cutOff = setTimeout(() => socket.destroy(), lingerMilliseconds);
  socket.once('close', () => clearTimeout(cutOff));
}
