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

export type InterleaveOptions = {
  rounds: number;
  blockMilliseconds: number;
  /** Each contender is warmed up by so many requests, but no longer than `longestWarmUpMilliseconds`. */
  warmUpRequests: number;
  longestWarmUpMilliseconds: number;
  report(line: string): void;
};

/**
 * Lets contenders take turns, forwards in one round and backwards in the next (ABBA), so that whatever else the
 * machine does, and whatever drifts, meets all of them alike. Each warms up first.
 */
export async function interleave<Name extends string>(
  contenders: readonly Contender<Name>[],
  options: InterleaveOptions,
): Promise<Round<Name>[]> {
  for (const contender of contenders) await warmUp(contender, options);
  const rounds: Round<Name>[] = [];
  for (let number = 0; number < options.rounds; number += 1) {
    const round = await undisturbed(options, async () => {
      const blocks: Partial<Round<Name>> = {};
      for (const { name, run } of number % 2 === 0 ? contenders : contenders.toReversed()) {
        blocks[name] = await run(options.blockMilliseconds);
      }
      return blocks as Round<Name>;
    });
    rounds.push(round);
    const told = contenders.map(({ name }) => `${name} ${describe(round[name])}`).join('; ');
    options.report(`round ${number + 1} of ${options.rounds}: ${told}`);
  }
  return rounds;
}

/** Of the processor time wanted: what hypervisors take now and then all the time. */
const usualStolenShare = 0.02;

/**
 * What `measure` finds, measured once more when a hypervisor gave the processors to others meanwhile: it does so by
 * tens of milliseconds, and takes them from whoever's turn it is. The second time counts whatever happened.
 */
export async function undisturbed<Found>(
  { report }: Pick<InterleaveOptions, 'report'>,
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
async function warmUp<Name extends string>(
  { run }: Contender<Name>,
  { warmUpRequests, longestWarmUpMilliseconds, blockMilliseconds }: InterleaveOptions,
): Promise<void> {
  const endsAt = performance.now() + longestWarmUpMilliseconds;
  for (let requests = 0; requests < warmUpRequests && performance.now() < endsAt; ) {
    requests += (await run(blockMilliseconds)).requests;
  }
}

/** Requests a second of a block. */
export function rateOf({ requests, milliseconds }: Block): number {
  return (requests * 1_000) / milliseconds;
}

function describe(block: Block): string {
  const { server, database, client } = block.processor;
  const parts = [server, database, client].map((milliseconds) => milliseconds.toFixed(3)).join(' + ');
  return `${Math.round(rateOf(block))}/s, ${parts} ms (server, database, client), busy ${Math.round(100 * block.busy)} %`;
}
