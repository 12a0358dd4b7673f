import type { IncomingMessage, Server, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { setTimeout as delay, setImmediate as nextPoll } from 'node:timers/promises';
import { requestEvents } from './answer-requests.ts';

export type ConnectionDrain = {
  /** Goes on accepting and serving; each connection ends with its next answer. */
  begin(): void;
  /** Stops accepting, and resolves when the last answer is out; after `graceMilliseconds` the rest is cut off. */
  finish(graceMilliseconds: number): Promise<void>;
};

/** An unused connection is kept this long after `begin`: its client may be about to use it. */
const defaultIdleMilliseconds = 1_000;
const idleCheckMilliseconds = 10;

/**
 * Ends the connections of a server without losing a request. A client may send one on a kept connection at the very
 * moment we close it, and HTTP/1.1 has no word for «no more» but `Connection: close` in an answer (RFC 9112 §9.6).
 * So a connection in use ends with an answer; one that is not used for a second more is closed, when nothing of a
 * request has arrived on it.
 */
export function createConnectionDrain(
  server: Server,
  idleMilliseconds = defaultIdleMilliseconds,
): ConnectionDrain {
  /**
   * Each with the answers it waits for. Not one Set of them all: filled and emptied all the time, a Set makes table
   * after table, each of which refers to the next one. Once one is old, V8's collections of young objects keep them all,
   * with every answer, its request and what these refer to.
   */
  const connections = new Map<Socket, ServerResponse[]>();
  let begunAt: number | undefined;

  const onConnection = (socket: Socket): void => {
    connections.set(socket, []);
    socket.once('close', () => connections.delete(socket));
  };
  const onRequest = ({ socket }: IncomingMessage, res: ServerResponse): void => {
    const answers = connections.get(socket);
    answers?.push(res);
    if (begunAt !== undefined) announceEnd(res);
    res.once('close', () => {
      answers?.splice(answers.indexOf(res), 1);
      // Its head may have been out before the drain began; Node would keep the connection then.
      if (begunAt !== undefined) socket.end();
    });
  };
  server.on('connection', onConnection);
  for (const event of requestEvents) server.prependListener(event, onRequest);

  return {
    begin() {
      begunAt = performance.now();
      for (const res of [...connections.values()].flat()) announceEnd(res);
    },
    async finish(graceMilliseconds) {
      const cutOff = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
      const patience = idleMilliseconds - (performance.now() - (begunAt ?? 0));
      await waitUntilNoneIsIdle(() => connections.values().some((answers) => answers.length === 0), patience);
      // What has reached this machine by now is read first, and its connection is no longer idle. The first wait may
      // end the present poll, which knows nothing newer.
      await nextPoll();
      await nextPoll();
      await new Promise<void>((resolve) => server.close(() => resolve()));
      clearTimeout(cutOff);
    },
  };
}

function announceEnd(res: ServerResponse): void {
  if (!res.headersSent) res.setHeader('Connection', 'close');
}

async function waitUntilNoneIsIdle(isOneIdle: () => boolean, milliseconds: number): Promise<void> {
  const end = performance.now() + milliseconds;
  while (isOneIdle() && performance.now() < end) await delay(idleCheckMilliseconds);
}
