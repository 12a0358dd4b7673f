import type { Result } from 'ioredis';
import { RateLimiterRes } from 'rate-limiter-flexible';
import { type LimitVerdict, limitVerdict } from './limit-verdict.ts';
import type { RateLimiter } from './rate-limiter.ts';

declare module 'ioredis' {
  interface RedisCommander<Context> {
    /** `slidingWindowScript` with so many keys, and the window and the points of each. */
    countRequest(keyCount: number, ...keysAndLimits: (string | number)[]): Result<number[], Context>;
  }
}

export type LimitedKey = { limiter: RateLimiter; key: string };

/** The first limiter's, and a later one's where all before it accept. */
export type LimitVerdicts = [LimitVerdict, ...LimitVerdict[]];

/**
 * Counts one request at each limiter in turn, in one exchange with Redis, until one refuses it: a later one counts
 * only what those before it accept. All are on one connection. Never rejects because of Redis.
 */
export async function consumeInTurn(...asked: [LimitedKey, ...LimitedKey[]]): Promise<LimitVerdicts> {
  const { redis, circuit } = asked[0].limiter;
  const keys = asked.map(({ limiter, key }) => `${limiter.keyPrefix}:${key}`);
  const limits = asked.flatMap(({ limiter }) => [limiter.durationSeconds, limiter.points]);
  const verdicts = await circuit
    .run(() => redis.countRequest(keys.length, ...keys, ...limits))
    .then(
      (reply) => readReply(asked, reply),
      () => consumeHere(asked),
    );
  for (const [index, verdict] of verdicts.entries()) asked[index]?.limiter.observe?.(verdict);
  return verdicts;
}

function readReply([first, ...further]: [LimitedKey, ...LimitedKey[]], reply: number[]): LimitVerdicts {
  const verdictOf = ({ limiter }: LimitedKey, index: number): LimitVerdict =>
    limitVerdict(limiter.points, Number(reply[2 * index]), Number(reply[2 * index + 1]));
  const answered = further.slice(0, reply.length / 2 - 1);
  return [verdictOf(first, 0), ...answered.map((next, index) => verdictOf(next, index + 1))];
}

async function consumeHere([first, ...further]: [LimitedKey, ...LimitedKey[]]): Promise<LimitVerdicts> {
  const verdicts: LimitVerdicts = [await countHere(first)];
  for (const next of further) {
    if (!verdicts.at(-1)?.isAllowed) break;
    verdicts.push(await countHere(next));
  }
  return verdicts;
}

async function countHere({ limiter, key }: LimitedKey): Promise<LimitVerdict> {
  const { points, standIn } = limiter;
  const { consumedPoints, msBeforeNext } = await standIn.consume(key).catch((refusal: unknown) => {
    if (refusal instanceof RateLimiterRes) return refusal;
    throw refusal;
  });
  return limitVerdict(points, consumedPoints, msBeforeNext);
}
