import { type CpuProfile, ownerOf, timeShares } from '../measure/cpu-profile.ts';

/** What packages and folders of ours work for, in words of a request; the first that matches counts. */
const groups: readonly [name: string, owners: RegExp][] = [
  [
    'statements: sending them, reading rows',
    /^(pg.*|postgres-.*|@mikro-orm\/.*|kysely|shared\/database|split2|xtend)$/,
  ],
  ['rate limits', /^(ioredis|redis-.*|@ioredis\/.*|rate-limiter-flexible|shared\/rate-limit|shared\/redis)$/],
  ['rows to JSON', /^services\/[\w-]+\/src\/(tasks|accounts)$|^secure-json/],
  ['token', /^(jose|shared\/tokens|services\/[\w-]+\/src\/auth)$/],
  ['log', /^(pino.*|sonic-boom|thread-stream|shared\/logging|fast-.*|safe-stable-stringify)$/],
  ['metrics', /^(prom-client|shared\/metrics|services\/[\w-]+\/src\/metrics|tdigest)$/],
  ['validation', /^(yup|shared\/validation|property-expr|tiny-case)$/],
  ['garbage collection', /^\(garbage collector\)$/],
  ['Express, our middleware, writing JSON', /^(?!\(the rest)/],
];

export type TimeGroup = { name: string; share: number };

/** Shares of the processor time after the first `skippedMicroseconds` by what it was used for, the greatest first. */
export function timeGroups(profile: CpuProfile, skippedMicroseconds: number): TimeGroup[] {
  const shares = new Map<string, number>();
  for (const { name: owner, share } of timeShares(profile, skippedMicroseconds, ownerOf)) {
    const name = groups.find(([, owners]) => owners.test(owner))?.[0] ?? 'Node: sockets, HTTP, promises';
    shares.set(name, (shares.get(name) ?? 0) + share);
  }
  return [...shares]
    .map(([name, share]) => ({ name, share }))
    .toSorted((left, right) => right.share - left.share);
}
