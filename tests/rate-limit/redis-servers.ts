import { Redis } from 'ioredis';
import { type EmbeddedRedis, startEmbeddedRedis } from '#local/embedded-redis.ts';
import { findRedisBinaries } from '#local/redis-binary.ts';
import type { Logger } from '#shared/logging/logger.ts';
import { createRedisCircuit, type RedisCircuit } from '#shared/rate-limit/redis-circuit.ts';

export type RedisServerKind = { name: string; start(where?: Address): Promise<EmbeddedRedis> };
type Address = { port: number; password: string };

/** Every Redis that the limits must be exact on: a real one where the machine has it, and the embedded one. */
export async function redisServerKinds(): Promise<RedisServerKind[]> {
  const [program] = await findRedisBinaries();
  const embedded: RedisServerKind = {
    name: 'the JavaScript Redis',
    start: (where) => startEmbeddedRedis({ kind: 'js', ...where }),
  };
  if (program === undefined) return [embedded];
  return [{ name: program, start: (where) => startEmbeddedRedis({ kind: 'auto', ...where }) }, embedded];
}

/** Like the product's connection, but patient: a busy test machine must not pass for a Redis that is away. */
export async function connectPatiently(url: string, commandTimeoutMilliseconds: number): Promise<Redis> {
  const redis = new Redis(url, {
    commandTimeout: commandTimeoutMilliseconds,
    enableOfflineQueue: false,
    maxRetriesPerRequest: 0,
    retryStrategy: () => 100,
  });
  redis.on('error', () => undefined);
  await new Promise((resolve) => redis.once('ready', resolve));
  return redis;
}

/** A circuit that opens when Redis fails, and not when the test machine is busy. */
export function patientCircuit(logger: Logger): RedisCircuit {
  return createRedisCircuit({ logger, waitMilliseconds: 60_000 });
}
