import type { ExecutionContext } from 'ava';
import { openWireCounter } from '#tools/bench/wire-counter.ts';
import { throughPort } from './behind-proxy.ts';

/** A store by way of a counter at the wire, which is closed when the test ends. */
type CountedStore = { url: string; roundTrips(): number };

export async function openCountedStore(t: ExecutionContext, storeUrl: string): Promise<CountedStore> {
  const counter = await openWireCounter(Number(new URL(storeUrl).port));
  t.teardown(() => counter[Symbol.asyncDispose]());
  return { url: throughPort(storeUrl, counter.port), roundTrips: counter.roundTrips };
}

/** How often a request that succeeds waits for the store: the fewest of some, for uses of tokens are noted beside them. */
export async function fewestTrips(
  t: ExecutionContext,
  { roundTrips }: CountedStore,
  send: (number: number) => Promise<{ status: number }>,
): Promise<number> {
  const trips: number[] = [];
  for (let number = 0; number < 5; number += 1) {
    const before = roundTrips();
    t.true((await send(number)).status < 300);
    trips.push(roundTrips() - before);
  }
  return Math.min(...trips);
}
