import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type GracefulStop = ReturnType<typeof createGracefulStop>;

const idleCheckMilliseconds = 50;

/**
 * Closes the connections of a server without losing a request. Between `begin` and `finish`, active HTTP/1.1
 * clients receive `Connection: close` (RFC 9112 §9.6) and reconnect elsewhere.
 */
export function createGracefulStop(server: Server) {
  /** The latest response of each connection. */
  const responses = new Map<Socket, ServerResponse>();
  let isStopping = false;

  server.on('connection', (socket) => socket.once('close', () => responses.delete(socket)));
  server.prependListener('request', ({ socket }, res) => {
    responses.set(socket, res);
    if (isStopping) closeWith(res);
  });

  return {
    /** Continues to serve; each connection is closed by its next response. */
    begin(): void {
      isStopping = true;
      for (const res of responses.values()) closeWith(res);
    },
    /** Stops accepting, resolves after the last response; after `graceMilliseconds` the rest is aborted. */
    async finish(graceMilliseconds: number): Promise<void> {
      // `close` leaves connections open whose response began before the stop.
      const idle = setInterval(() => server.closeIdleConnections(), idleCheckMilliseconds);
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearInterval(idle);
      clearTimeout(cutOff);
    },
  };
}

function closeWith(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}
