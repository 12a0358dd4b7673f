import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/*
 * Below the ephemeral ports (32768 up on Linux, 49152 up on macOS), which an outgoing connection could take
 * meanwhile.
 */
const firstPort = 20_000;
const lastPort = 31_999;

/** A free port of 127.0.0.1, returned only once per process. */
export async function findFreePort(): Promise<number> {
  for (;;) {
    const port = randomInt(firstPort, lastPort + 1);
    if ((await reserve(port)) && (await canListen(port, '127.0.0.1'))) return port;
  }
}

/** Binding the UDP port reserves the number among processes that use this function. */
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

/** Whether a server could listen there now. Throws if the address is invalid. */
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
