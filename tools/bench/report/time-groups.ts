import { type CpuProfile, ownerOf, timeShares } from '../measure/cpu-profile.ts';
import type { TimeShare } from './finding.ts';

const elsewhere = 'Node: sockets, HTTP, promises, timers';

/**
 * What packages and files of ours work for, in words of a request; the first that matches counts. V8 counts
 * JSON.stringify for the function that calls it: that file does little else.
 */
const groups: readonly [name: string, owners: RegExp][] = [
  [
    'statements: sending them, reading rows',
    /^(pg.*|postgres-.*|@mikro-orm\/.*|kysely|shared\/database\/.*|split2|xtend)$/,
  ],
  ['rate limits', /^(ioredis|redis-.*|@ioredis\/.*|denque|shared\/(rate-limit|redis)\/.*)$/],
  ['the answer: head and bytes to the socket', /^shared\/http\/send-json$/],
  ['the answer: objects to JSON', /^services\/[\w-]+\/src\/http\/mount-routes$/],
  ['the cursor, mostly its HMAC', /^services\/[\w-]+\/src\/http\/cursor$/],
  [
    'rows to objects',
    /^services\/[\w-]+\/src\/(tasks\/.*|accounts\/.*|database\/.*|http\/(page|present-instant))$/,
  ],
  ['the account’s date', /^shared\/time\/calendar-date$/],
  [
    'tokens already known',
    /^(shared\/caching\/.*|services\/[\w-]+\/src\/auth\/(known-tokens|verified-token-cache))$/,
  ],
  ['the token otherwise', /^(jose|shared\/tokens\/.*|services\/[\w-]+\/src\/auth\/.*)$/],
  [
    'log',
    /^(pino.*|sonic-boom|thread-stream|shared\/logging\/.*|shared\/http\/log-requests|fast-.*|quick-.*|safe-.*|on-exit-.*)$/,
  ],
  ['metrics', /^(prom-client|shared\/metrics\/.*|services\/[\w-]+\/src\/metrics\/.*|tdigest)$/],
  ['validation', /^(yup|shared\/validation\/.*|property-expr|tiny-case)$/],
  ['Express and its router', /^(express|router|parseurl|path-to-regexp|debug|is-promise|depd|ms)$/],
  ['garbage collection', /^\(garbage collector\)$/],
  ['our middleware, and everything else of ours', /^(services|shared)\//],
  ['other packages', /^(?!\(the rest)/],
];

/** Shares of the processor time after the first `skippedMicroseconds` by what it was used for, the greatest first. */
export function timeGroups(
  profile: CpuProfile,
  skippedMicroseconds: number,
): Pick<TimeShare, 'name' | 'share'>[] {
  const shares = new Map<string, number>();
  for (const { name: owner, share } of timeShares(profile, skippedMicroseconds, ownerOf)) {
    const name = groups.find(([, owners]) => owners.test(owner))?.[0] ?? elsewhere;
    shares.set(name, (shares.get(name) ?? 0) + share);
  }
  return [...shares]
    .map(([name, share]) => ({ name, share }))
    .toSorted((left, right) => right.share - left.share);
}
