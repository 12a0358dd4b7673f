import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a service and a store and counts, at the wire, how often the service waits for the store. */
export type WireCounter = AsyncDisposable & {
  /** On 127.0.0.1. */
  port: number;
  /** Number of bursts that the store has begun to answer, on all connections. */
  roundTrips(): number;
};

/** `port`: the store's. */
export async function openWireCounter(port: number): Promise<WireCounter> {
  let roundTrips = 0;
  const sockets = new Set<Socket>();
  const listener = createServer((client) => {
    const store = connect({ port, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    let isAsking = false;
    client.on('data', (bytes: Buffer) => {
      isAsking = true;
      store.write(bytes);
    });
    store.on('data', (bytes: Buffer) => {
      if (isAsking) roundTrips += 1;
      isAsking = false;
      client.write(bytes);
    });
    for (const [socket, other] of [
      [client, store],
      [store, client],
    ] as const) {
      sockets.add(socket);
      socket.on('error', () => other.destroy());
      socket.on('close', () => {
        sockets.delete(socket);
        other.end();
      });
    }
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the counter has no port');
  return {
    port: address.port,
    roundTrips: () => roundTrips,
    async [Symbol.asyncDispose]() {
      const closed = once(listener, 'close');
      listener.close();
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}
