type CallFrame = { functionName: string; url: string; lineNumber: number };

/** What Node writes with `--cpu-prof`, as far as it is read here; times in microseconds. */
export type CpuProfile = {
  nodes: readonly { id: number; callFrame: CallFrame; children?: readonly number[] }[];
  samples: readonly number[];
  timeDeltas: readonly number[];
};

/** Of the time at work, from 0 to 1. */
export type Share = { name: string; share: number };

/** Not the program's own work. */
const idle = new Set(['(idle)', '(root)']);

const elsewhere = '(the rest of Node)';

/**
 * Shares of the processor time after the first `skippedMicroseconds`, the greatest first. The time of a function
 * counts for the name of the nearest function on its stack that has one.
 */
export function timeShares(
  { nodes, samples, timeDeltas }: CpuProfile,
  skippedMicroseconds: number,
  nameOf: (frame: CallFrame) => string | undefined,
): Share[] {
  const frames = new Map(nodes.map(({ id, callFrame }) => [id, callFrame]));
  const parents = new Map(nodes.flatMap(({ id, children = [] }) => children.map((child) => [child, id])));
  const names = new Map<number, string>();
  const nameAt = (id: number): string => {
    const known = names.get(id);
    if (known !== undefined) return known;
    const frame = frames.get(id);
    const parent = parents.get(id);
    const name = (frame && nameOf(frame)) ?? (parent === undefined ? elsewhere : nameAt(parent));
    names.set(id, name);
    return name;
  };
  const times = new Map<string, number>();
  let elapsed = 0;
  let total = 0;
  for (const [index, id] of samples.entries()) {
    const time = timeDeltas[index] ?? 0;
    elapsed += time;
    if (elapsed < skippedMicroseconds || idle.has(frames.get(id)?.functionName ?? '')) continue;
    const name = nameAt(id);
    times.set(name, (times.get(name) ?? 0) + time);
    total += time;
  }
  return [...times]
    .map(([name, time]) => ({ name, share: time / total }))
    .toSorted((left, right) => right.share - left.share);
}

/** A package, or a file of ours; nothing for Node's own functions, which work for whoever calls them. */
export function ownerOf({ functionName, url }: CallFrame): string | undefined {
  if (functionName === '(garbage collector)') return functionName;
  const inPackage = /.*\/node_modules\/((?:@[^/]+\/)?[^/]+)\//.exec(url)?.[1];
  return inPackage ?? /\/((?:services\/[\w-]+\/src|shared)\/.+)\.ts$/.exec(url)?.[1];
}
