import { connect, type Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';

/** A client that opens a connection and then takes its time. */
export type SlowKind = {
  name: string;
  count: number;
  /** What it sends at once. */
  opening(): string;
  /** One of these bytes at a time; nothing more when it is empty. */
  drip: string;
};

export type SlowSocket = {
  kind: string;
  /** How long the server bore with it, or the connection was refused; undefined while it is open. */
  endedAfterMilliseconds: number | undefined;
  /** The status that the server gave as its reason; undefined without one. */
  status: number | undefined;
};

export type SlowSockets = {
  sockets: readonly SlowSocket[];
  /** Ends what the server has not ended. */
  close(): void;
};

const dripMilliseconds = 10_000;
/** 200 a second: faster, the queue of connections that wait to be accepted overflows, and they begin much later. */
const batch = 20;
const batchPauseMilliseconds = 100;

/** Opens the sockets in batches and resolves when the last has been opened. */
export async function openSlowSockets(port: number, kinds: readonly SlowKind[]): Promise<SlowSockets> {
  const opened: { socket: Socket; record: SlowSocket }[] = [];
  const wanted = kinds.flatMap((kind) => Array.from({ length: kind.count }, () => kind));
  for (const [index, kind] of wanted.entries()) {
    opened.push(openSlowSocket(port, kind));
    if (index % batch === batch - 1) await delay(batchPauseMilliseconds);
  }
  return {
    sockets: opened.map(({ record }) => record),
    close() {
      for (const { socket } of opened) socket.destroy();
    },
  };
}

function openSlowSocket(port: number, { name, opening, drip }: SlowKind) {
  const record: SlowSocket = { kind: name, endedAfterMilliseconds: undefined, status: undefined };
  const socket = connect({ host: '127.0.0.1', port });
  let openedAt = performance.now();
  let sent = 0;
  const timer = setInterval(() => {
    if (drip !== '') socket.write(drip[sent++ % drip.length] ?? '');
  }, dripMilliseconds);
  socket.once('connect', () => {
    openedAt = performance.now();
    const bytes = opening();
    if (bytes !== '') socket.write(bytes);
  });
  socket.on('data', (bytes: Buffer) => {
    record.status ??= Number(/^HTTP\/1\.1 (\d{3})/.exec(bytes.toString())?.[1]);
  });
  // What is written after the server has gone fails; the close that follows counts.
  socket.on('error', () => {});
  socket.once('close', () => {
    clearInterval(timer);
    record.endedAfterMilliseconds = performance.now() - openedAt;
  });
  return { socket, record };
}
