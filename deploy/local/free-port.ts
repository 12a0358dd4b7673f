import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/* Below the ports of outgoing connections (32768 up on Linux, 49152 up on macOS), which would take one meanwhile. */
const firstPort = 20_000;
const lastPort = 31_999;

/** A port of 127.0.0.1 on which nothing listens, given to no other caller while this process lives. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort + 1);
    if ((await reserve(port)) && (await canListen(port, '127.0.0.1'))) return port;
  }
}

/** Bound for UDP, which nobody uses here, the number is taken for other processes that look for a port. */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4').unref();
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      resolve(error.code !== 'EADDRINUSE');
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
  });
}

/** Whether a server could listen there now. Throws when the address itself can't be used. */
export function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', (error: NodeJS.ErrnoException) => {
      if (error.code === 'EADDRINUSE') resolve(false);
      else reject(error);
    });
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}
