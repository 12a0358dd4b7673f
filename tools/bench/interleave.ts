import { familyMilliseconds, processMilliseconds } from '../processes.ts';
import type { Bench, Shape } from './bench.ts';
import { type Load, runLoad } from './load.ts';
import type { ServerProcess } from './server-process.ts';

/** Milliseconds of processor time per request, and how many requests there were. */
type Block = { requests: number; server: number; database: number; redis: number };

export type Contender = { name: string; run(milliseconds: number): Promise<Block> };

/** For each start of the processes, the rounds: a block of every contender, right after each other. */
export type Rounds = readonly (readonly ReadonlyMap<string, Block>[])[];

/**
 * Contenders take turns, forwards in one round and backwards in the next (ABBA), so that whatever else the
 * machine does affects all of them alike.
 */
export async function interleave(
  bench: Pick<Bench, 'shape' | 'signal' | 'report'>,
  startContenders: (parts: AsyncDisposableStack) => Promise<readonly Contender[]>,
): Promise<Rounds> {
  const { shape, signal, report } = bench;
  const found: ReadonlyMap<string, Block>[][] = [];
  for (let start = 0; start < shape.starts; start += 1) {
    await using parts = new AsyncDisposableStack();
    const contenders = await startContenders(parts);
    for (const contender of contenders) await warmUp(contender, shape);
    const rounds: ReadonlyMap<string, Block>[] = [];
    for (let round = 0; round < shape.roundsPerStart; round += 1) {
      const blocks = new Map<string, Block>();
      for (const { name, run } of round % 2 === 0 ? contenders : contenders.toReversed()) {
        signal.throwIfAborted();
        blocks.set(name, await run(shape.blockMilliseconds));
      }
      rounds.push(blocks);
      const line = [...blocks].map(([name, { server }]) => `${name} ${server.toFixed(3)} ms`).join(', ');
      report(`start ${start + 1} of ${shape.starts}, round ${round + 1}: ${line}`);
    }
    found.push(rounds);
  }
  return found;
}

async function warmUp(
  { run }: Contender,
  { warmUpRequests, longestWarmUpMilliseconds }: Shape,
): Promise<void> {
  const endsAt = performance.now() + longestWarmUpMilliseconds;
  for (let requests = 0; requests < warmUpRequests && performance.now() < endsAt; )
    requests += (await run(500)).requests;
}

/** A figure of one contender's blocks, for `judgeSamples`. */
export function figuresOf(rounds: Rounds, name: string, figureOf: (block: Block) => number): number[][] {
  return rounds.map((blocks) => blocks.map((of) => figureOf(blockOf(of, name))));
}

/** Processor time of one contender divided by that of another, in pairs of neighbouring blocks. */
export function processorRatios(rounds: Rounds, name: string, reference: string): number[][] {
  return rounds.map((blocks) => blocks.map((of) => blockOf(of, name).server / blockOf(of, reference).server));
}

function blockOf(blocks: ReadonlyMap<string, Block>, name: string): Block {
  const block = blocks.get(name);
  if (block === undefined) throw new Error(`there is no contender ${name}`);
  return block;
}

/** A server under the maximum load. */
export function httpContender(
  { stores, signal }: Bench,
  {
    name,
    server,
    ...load
  }: { name: string; server: ServerProcess } & Pick<Load, 'sources' | 'expectedStatus'>,
): Contender {
  return {
    name,
    run(milliseconds) {
      server.emptyLog();
      return measureBlock(server.pid, stores, () =>
        runLoad({ ...load, port: server.port, milliseconds, signal }),
      );
    },
  };
}

/** Processor time around `work`, per request. */
export async function measureBlock(
  serverPid: number,
  { postgresPid, redisPid }: Bench['stores'],
  work: () => Promise<{ requests: number }>,
): Promise<Block> {
  const read = () => [
    processMilliseconds(serverPid),
    familyMilliseconds(postgresPid),
    processMilliseconds(redisPid),
  ];
  const before = read();
  const { requests } = await work();
  const [server, database, redis] = read().map((after, index) => (after - (before[index] ?? 0)) / requests);
  return {
    requests,
    server: server ?? Number.NaN,
    database: database ?? Number.NaN,
    redis: redis ?? Number.NaN,
  };
}
