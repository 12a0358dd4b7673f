import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type Load, openConnection, type RequestSource } from './load.ts';

type Connection = { socket: Socket; source: RequestSource; dueAt: number };

/**
 * Sends at a fixed rate, whatever the responses are. A time counts from when its request was due, so that a response
 * that delays others counts for them too. In milliseconds.
 */
export async function runSteadyLoad(load: Load & { perSecond: number }): Promise<number[]> {
  const latencies: number[] = [];
  const failure = Promise.withResolvers<never>();
  const idle: Connection[] = [];
  const waiting: number[] = [];
  let isOver = false;
  const send = (connection: Connection, dueAt: number): void => {
    connection.dueAt = dueAt;
    connection.socket.write(connection.source.next());
  };
  const connections = load.sources.map((source) => {
    const socket = openConnection(load.port, load.signal, false, failure.reject, ({ status }) => {
      if (status !== load.expectedStatus) failure.reject(new Error(`a response has status ${status}`));
      latencies.push(performance.now() - connection.dueAt);
      const next = waiting.shift();
      if (next === undefined) idle.push(connection);
      else send(connection, next);
    });
    const connection: Connection = { socket, source, dueAt: 0 };
    idle.push(connection);
    return connection;
  });
  const run = async (): Promise<void> => {
    const wanted = Math.floor((load.milliseconds / 1_000) * load.perSecond);
    const startedAt = performance.now();
    for (let number = 0; number < wanted && !isOver; number += 1) {
      const dueAt = startedAt + (number * 1_000) / load.perSecond;
      const early = dueAt - performance.now();
      if (early > 0) await delay(early);
      const connection = idle.pop();
      if (connection === undefined) waiting.push(dueAt);
      else send(connection, dueAt);
    }
    while (latencies.length < wanted && !isOver) await delay(5);
  };
  try {
    await Promise.race([run(), failure.promise]);
    return latencies;
  } finally {
    isOver = true;
    for (const { socket } of connections) socket.destroy();
  }
}
