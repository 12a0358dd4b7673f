import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/**
 * What happens to the bytes of all connections from now on.
 * - `pass`: nothing.
 * - `refuse`: as after the end of the server: present connections die, and so does each new one.
 * - `freeze`: as with a stopped process: connections are accepted and nothing is answered. What was sent
 * meanwhile arrives when the mode changes.
 * - `cut`: present connections die, new ones pass. What the client has sent still arrives.
 * - `dropReplies`: the server hears and is not heard. A connection that has lost a reply stays mute.
 * - `latencyMilliseconds`: each reply comes that much later.
 */
export type FaultMode =
  | 'pass'
  | 'refuse'
  | 'freeze'
  | 'cut'
  | 'dropReplies'
  | { latencyMilliseconds: number };

/**
 * Receives a client's bytes after they were forwarded to the server and before its reply; `mute` drops all
 * further replies on that connection.
 */
type ClientDataListener = (bytes: Buffer, mute: () => void) => void;

export type FaultProxy = {
  /** On 127.0.0.1. */
  port: number;
  /** Connections that are open between a client and the proxy. */
  connectionCount(): number;
  /** How often a client has waited: bursts that the server has begun to answer, on all connections. */
  roundTrips(): number;
  setMode(mode: FaultMode): void;
  /** Whether new connections get no replies; open ones continue. */
  muteNewConnections(isWanted: boolean): void;
  /** Returns a function that removes the listener. */
  onClientData(listener: ClientDataListener): () => void;
  close(): Promise<void>;
};

type FaultProxyOptions = {
  /** Port of the server on 127.0.0.1. */
  port: number;
};

type Mode = Exclude<FaultMode, 'cut'>;
type Wire = { client: Socket; server: Socket; isMute: boolean; isAsking: boolean };

/** A TCP proxy on a free port that breaks connections on command. */
export async function openFaultProxy(options: FaultProxyOptions): Promise<FaultProxy> {
  const wires = new Set<Wire>();
  const listeners = new Set<ClientDataListener>();
  let mode: Mode = 'pass';
  let areNewMute = false;
  let roundTrips = 0;
  let modeChange = Promise.withResolvers<void>();

  async function thaw(): Promise<void> {
    while (mode === 'freeze') await modeChange.promise;
  }

  async function passToServer(wire: Wire, bytes: Buffer): Promise<void> {
    await thaw();
    wire.isAsking = true;
    wire.server.write(bytes);
    const mute = (): void => {
      wire.isMute = true;
    };
    for (const listener of listeners) listener(bytes, mute);
  }

  async function passToClient(wire: Wire, bytes: Buffer, arrivedAt: number): Promise<void> {
    await thaw();
    if (wire.isAsking) roundTrips += 1;
    wire.isAsking = false;
    if (mode === 'dropReplies') wire.isMute = true;
    if (wire.isMute) return;
    if (typeof mode === 'object') await delay(arrivedAt + mode.latencyMilliseconds - performance.now());
    wire.client.write(bytes);
  }

  function destroyAll(): void {
    for (const { client, server } of wires) {
      client.destroy();
      server.destroySoon();
    }
  }

  const listener = createServer((client) => {
    if (mode === 'refuse') {
      client.destroy();
      return;
    }
    const server = connect({ port: options.port, host: '127.0.0.1', noDelay: true });
    client.setNoDelay(true);
    const wire: Wire = { client, server, isMute: areNewMute, isAsking: false };
    wires.add(wire);
    relay(client, (bytes) => passToServer(wire, bytes), server);
    relay(server, (bytes, arrivedAt) => passToClient(wire, bytes, arrivedAt), client);
    client.on('close', () => {
      if (server.destroyed) wires.delete(wire);
    });
    server.on('close', () => {
      if (client.destroyed) wires.delete(wire);
    });
  });
  listener.listen(0, '127.0.0.1');
  await once(listener, 'listening');
  const address = listener.address();
  if (address === null || typeof address === 'string') throw new Error('the proxy has no port');

  return {
    port: address.port,
    connectionCount: () => [...wires].filter(({ client }) => !client.destroyed).length,
    roundTrips: () => roundTrips,
    setMode(next) {
      mode = next === 'cut' ? 'pass' : next;
      if (next === 'cut' || next === 'refuse') destroyAll();
      modeChange.resolve();
      modeChange = Promise.withResolvers();
    },
    muteNewConnections(isWanted) {
      areNewMute = isWanted;
    },
    onClientData(added) {
      listeners.add(added);
      return () => listeners.delete(added);
    },
    async close() {
      const closed = once(listener, 'close');
      listener.close();
      for (const { client, server } of wires) {
        client.destroy();
        server.destroy();
      }
      await closed;
    },
  };
}

/** Forwards what `from` receives, in order, and then its end. */
function relay(from: Socket, pass: (bytes: Buffer, arrivedAt: number) => Promise<void>, to: Socket): void {
  let passed = Promise.resolve();
  from.on('data', (bytes: Buffer) => {
    const arrivedAt = performance.now();
    passed = passed.then(() => pass(bytes, arrivedAt));
  });
  from.on('error', () => undefined);
  from.on('close', () => {
    passed = passed.then(() => to.destroySoon());
  });
}
