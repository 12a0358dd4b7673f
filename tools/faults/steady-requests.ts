import { setTimeout as delay } from 'node:timers/promises';
import { type ClientAnswer, type ClientRequest, createKeepAliveClient } from './keep-alive-client.ts';

type SteadyOptions = {
  urls: readonly string[];
  perSecond: number;
  seconds: number;
  clients: number;
  /** The request with this number, from 0 on. */
  requestFor(number: number): ClientRequest;
};

export type SteadyAnswer = ClientAnswer & { number: number };

/**
 * Sends at a fixed rate over a fixed number of connections. While all of them wait for responses the rate is
 * lower; the number of responses tells the actual rate.
 */
export async function sendSteadily(options: SteadyOptions): Promise<SteadyAnswer[]> {
  const answers: SteadyAnswer[] = [];
  const begin = performance.now();
  const end = begin + options.seconds * 1_000;
  let next = 0;
  const run = async (index: number): Promise<void> => {
    const client = createKeepAliveClient(options.urls[index % options.urls.length] ?? '');
    for (;;) {
      const number = next;
      next += 1;
      const dueAt = begin + (number * 1_000) / options.perSecond;
      if (dueAt >= end || performance.now() >= end) return client.close();
      await delay(Math.max(0, dueAt - performance.now()));
      answers.push({ number, ...(await client.send(options.requestFor(number))) });
    }
  };
  await Promise.all(Array.from({ length: options.clients }, (_, index) => run(index)));
  return answers;
}
