import type { Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';

export type GracefulStop = {
  /** Serves on; from now on each connection is closed by its next response. */
  begin(): void;
  /** Stops accepting, and resolves after the last response; what is left after `graceMilliseconds` is cut off. */
  finish(graceMilliseconds: number): Promise<void>;
};

const idleCheckMilliseconds = 50;

/**
 * Closes the connections of a server without losing a request. HTTP/1.1 says «no more requests» by `Connection: close`
 * alone (RFC 9112 §9.6): between `begin` and `finish` clients in steady use receive it, and reconnect elsewhere.
 */
export function createGracefulStop(server: Server): GracefulStop {
  /** The latest response of each connection. */
  const responses = new Map<Socket, ServerResponse>();
  let isStopping = false;

  server.on('connection', (socket) => socket.once('close', () => responses.delete(socket)));
  server.prependListener('request', ({ socket }, res) => {
    responses.set(socket, res);
    if (isStopping) closeWith(res);
  });

  return {
    begin() {
      isStopping = true;
      for (const res of responses.values()) closeWith(res);
    },
    async finish(graceMilliseconds) {
      // `close` leaves connections open whose response had begun before the stop.
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
