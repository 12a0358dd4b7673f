import type { Starts } from '../estimate.ts';
import { readMachineTime, stolenShareSince } from './stolen-time.ts';

/** Processor time per request, in milliseconds. */
export type ProcessorTime = { server: number; database: number; redis: number; client: number };

/** What one block of requests took. */
export type Block = {
  requests: number;
  milliseconds: number;
  processor: ProcessorTime;
  /** The share of the block that the server was at work: well below 1, something else was the limit. */
  busy: number;
};

export type Contender<Name extends string> = { name: Name; run(milliseconds: number): Promise<Block> };

/** The blocks that belong together: one of each contender, right after each other. */
export type Round<Name extends string> = Record<Name, Block>;

export type MeasureOptions = {
  /** How often what is measured is started afresh. */
  starts: number;
  roundsPerStart: number;
  blockMilliseconds: number;
  /** After each start a contender is warmed up by so many requests, but no longer than `longestWarmUpMilliseconds`. */
  warmUpRequests: number;
  longestWarmUpMilliseconds: number;
  /** Ends the measurement: what it is about to start is not started any more. */
  signal: AbortSignal;
  report(line: string): void;
};

/**
 * Starts what is measured several times and measures some rounds of each start. `start` opens it and resolves to what
 * measures a round, which is told its number from 0 on; `parts` are closed before the next start.
 */
export async function measureInStarts<Found>(
  start: (parts: AsyncDisposableStack) => Promise<(number: number) => Promise<Found>>,
  { starts, roundsPerStart, signal }: Pick<MeasureOptions, 'starts' | 'roundsPerStart' | 'signal'>,
): Promise<Starts<Found>> {
  const found: Found[][] = [];
  for (let started = 0; started < starts; started += 1) {
    signal.throwIfAborted();
    await using parts = new AsyncDisposableStack();
    const measure = await start(parts);
    const rounds: Found[] = [];
    for (let round = 0; round < roundsPerStart; round += 1) {
      signal.throwIfAborted();
      rounds.push(await measure(started * roundsPerStart + round));
    }
    found.push(rounds);
  }
  return found;
}

/**
 * Lets contenders take turns, forwards in one round and backwards in the next (ABBA), so that whatever else the
 * machine does, and whatever drifts, meets all of them alike. Each warms up first.
 */
export async function interleave<Name extends string>(
  startContenders: (parts: AsyncDisposableStack) => Promise<readonly Contender<Name>[]>,
  options: MeasureOptions,
): Promise<Starts<Round<Name>>> {
  const { starts, roundsPerStart, blockMilliseconds, signal, report } = options;
  return measureInStarts(async (parts) => {
    const contenders = await startContenders(parts);
    for (const contender of contenders) await warmUp(contender, options);
    return async (number) => {
      const round = await undisturbed(options, async () => {
        const blocks: Partial<Round<Name>> = {};
        for (const { name, run } of number % 2 === 0 ? contenders : contenders.toReversed()) {
          signal.throwIfAborted();
          blocks[name] = await run(blockMilliseconds);
        }
        return blocks as Round<Name>;
      });
      const told = contenders.map(({ name }) => `${name} ${describe(round[name])}`).join('; ');
      report(`round ${number + 1} of ${starts * roundsPerStart}: ${told}`);
      return round;
    };
  }, options);
}

/** Of the processor time wanted: what hypervisors take now and then all the time. */
const usualStolenShare = 0.02;

/**
 * What `measure` finds, measured once more when a hypervisor gave the processors to others meanwhile: it does so by
 * tens of milliseconds, and takes them from whoever's turn it is. The second time counts whatever happened.
 */
export async function undisturbed<Found>(
  { report }: Pick<MeasureOptions, 'report'>,
  measure: () => Promise<Found>,
): Promise<Found> {
  const before = readMachineTime();
  const found = await measure();
  const stolen = stolenShareSince(before) ?? 0;
  if (stolen <= usualStolenShare) return found;
  report(`${(100 * stolen).toFixed(0)} % of the processor time went to other machines: once more`);
  return await measure();
}

/** Code that has run a few thousand times is compiled; before, it takes several times as long. */
export async function warmUp(
  { run }: Contender<string>,
  options: Pick<MeasureOptions, 'warmUpRequests' | 'longestWarmUpMilliseconds' | 'signal'>,
): Promise<void> {
  const { warmUpRequests, longestWarmUpMilliseconds, signal } = options;
  const endsAt = performance.now() + longestWarmUpMilliseconds;
  for (let requests = 0; requests < warmUpRequests && performance.now() < endsAt; ) {
    signal.throwIfAborted();
    requests += (await run(warmUpBlockMilliseconds)).requests;
  }
}

const warmUpBlockMilliseconds = 500;

/** Requests a second of a block. */
export function rateOf({ requests, milliseconds }: Block): number {
  return (requests * 1_000) / milliseconds;
}

function describe(block: Block): string {
  const { server, database, client } = block.processor;
  const parts = [server, database, client].map((milliseconds) => milliseconds.toFixed(3)).join(' + ');
  return `${Math.round(rateOf(block))}/s, ${parts} ms (server, database, client), busy ${Math.round(100 * block.busy)} %`;
}
