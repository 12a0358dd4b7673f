import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { createServer } from 'node:net';

/*
 * Below the ranges from which systems take the ports of outgoing connections (32768 up on Linux, 49152 up on
 * macOS), so that a port stays free while the server behind it is being restarted.
 */
const FIRST_PORT = 20_000;
const LAST_PORT = 31_999;
const MAXIMUM_TRIES = 200;

/** A port of 127.0.0.1 on which nothing listens at this moment, given to nobody else while this process lives. */
export async function findFreePort(): Promise<number> {
  for (let turn = 0; turn < MAXIMUM_TRIES; turn += 1) {
    const port = randomInt(FIRST_PORT, LAST_PORT + 1);
    if ((await reserve(port)) && (await canListen(port, '127.0.0.1'))) return port;
  }
  throw new Error(`no free port was found between ${FIRST_PORT} and ${LAST_PORT}`);
}

/**
 * Between the choice of a port and the moment when a server listens there, another process could choose it too.
 * UDP has ports of its own: a socket on the same number tells others that it is taken, and goes with this process.
 */
function reserve(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = createSocket('udp4');
    socket.once('error', (error: NodeJS.ErrnoException) => {
      socket.close();
      resolve(error.code !== 'EADDRINUSE');
    });
    socket.bind({ port, address: '127.0.0.1', exclusive: true }, () => resolve(true));
    socket.unref();
  });
}

/** Whether a server of ours could listen there now. Throws when the address itself can't be used. */
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
