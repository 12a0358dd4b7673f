import type { Socket } from 'node:net';
import { setTimeout as delay } from 'node:timers/promises';
import { type LoadOptions, openConnection, portOf, type RequestSource } from './load.ts';

export type SteadyLoadOptions = LoadOptions & { perSecond: number };

type Connection = { socket: Socket; source: RequestSource; dueAt: number };

/**
 * Sends at a fixed rate, whatever the answers are, over a fixed number of connections. A time counts from when its
 * request was due, so that an answer that keeps others waiting counts for them too. In milliseconds, unsorted.
 */
export async function runSteadyLoad(options: SteadyLoadOptions): Promise<number[]> {
  const { signal, expectedStatus } = options;
  const latencies: number[] = [];
  const failure = Promise.withResolvers<never>();
  const idle: Connection[] = [];
  const waiting: number[] = [];
  let isOver = false;
  const send = (connection: Connection, dueAt: number): void => {
    connection.dueAt = dueAt;
    connection.socket.write(connection.source.next());
  };
  const connections = options.sources.map((source, index) => {
    const socket = openConnection({
      port: portOf(options, index),
      signal,
      keepsBodies: false,
      onFailure: failure.reject,
      onResponse: ({ status }) => {
        if (status !== expectedStatus) failure.reject(new Error(`a request is answered with ${status}`));
        latencies.push(performance.now() - connection.dueAt);
        const next = waiting.shift();
        if (next === undefined) idle.push(connection);
        else send(connection, next);
      },
    });
    const connection: Connection = { socket, source, dueAt: 0 };
    idle.push(connection);
    return connection;
  });
  const run = async (): Promise<void> => {
    const wanted = Math.floor((options.milliseconds / 1_000) * options.perSecond);
    const startedAt = performance.now();
    for (let number = 0; number < wanted && !isOver; number += 1) {
      const dueAt = startedAt + (number * 1_000) / options.perSecond;
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
