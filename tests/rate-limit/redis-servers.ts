import type { ExecutionContext } from 'ava';
import { Redis } from 'ioredis';
import { type EmbeddedRedis, findRedisBinaries, startEmbeddedRedis } from '#local/embedded-redis.ts';
import { type ApiRateLimiter, createRateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { createRequestCounter } from '#shared/rate-limit/request-counter.ts';
import { createReplyWait } from '#shared/redis/reply-wait.ts';
import { type CapturedLog, createCapturedLog } from '../support/captured-log.ts';

export type RedisServerKind = { name: string; start(where?: Address): Promise<EmbeddedRedis> };
type Address = { port: number; password: string };

/** Every Redis that the limits must be exact on: a real one where there is one, and the embedded one. */
export async function redisServerKinds(): Promise<RedisServerKind[]> {
  const [program] = findRedisBinaries();
  const embedded: RedisServerKind = {
    name: 'the JavaScript Redis',
    start: (where) => startEmbeddedRedis({ kind: 'js', ...where }),
  };
  if (program === undefined) return [embedded];
  return [{ name: program, start: (where) => startEmbeddedRedis({ kind: 'auto', ...where }) }, embedded];
}

/** Like the product's connection, but patient: a busy test machine must not pass for an unavailable Redis. */
export async function connectPatiently(t: ExecutionContext, url: string): Promise<Redis> {
  const redis = new Redis(url, {
    commandTimeout: 60_000,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 100,
  });
  redis.on('error', () => undefined);
  t.teardown(() => redis.disconnect());
  await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
}

export type Limit = { points: number; durationSeconds: number };

type Replica = {
  redis: Redis;
  log: CapturedLog;
  limiterOf(keyPrefix: string, limit: Limit): ApiRateLimiter;
};

/** What one process has: a connection and limiters on it. */
export async function startReplica(
  t: ExecutionContext,
  url: string,
  waitMilliseconds = 60_000,
): Promise<Replica> {
  const redis = await connectPatiently(t, url);
  const log = createCapturedLog();
  const counter = createRequestCounter(
    redis,
    createReplyWait({ logger: log.loggerFor('test'), waitMilliseconds }),
  );
  const limiterOf = (keyPrefix: string, limit: Limit) => createRateLimiter(counter, { keyPrefix, ...limit });
  return { redis, log, limiterOf };
}

/** Places left after each of so many requests. */
export async function consume(
  limiter: ApiRateLimiter,
  times: number,
  key = 'key',
): Promise<(number | 'refused')[]> {
  const left: (number | 'refused')[] = [];
  for (let time = 0; time < times; time += 1) {
    const { isAllowed, remaining } = await limiter.consume(key);
    left.push(isAllowed ? remaining : 'refused');
  }
  return left;
}

export const unavailableMessage = 'Redis is unavailable';
export const recoveredMessage = 'Redis recovered';

export function linesWith({ lines }: CapturedLog, message: string): number {
  return lines.filter(({ msg }) => msg.startsWith(message)).length;
}
