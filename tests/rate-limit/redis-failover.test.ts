import { once } from 'node:events';
import test from 'ava';
import { startEmbeddedRedis } from '#local/embedded-redis.ts';
import { findRedisBinaries } from '#local/redis-binary.ts';
import { createRateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { awayMessage, createRecordedLogger } from './recorded-logger.ts';
import { connectPatiently, patientCircuit } from './redis-servers.ts';

const [program] = await findRedisBinaries();
const withRedis = program === undefined ? test.skip : test;

withRedis('a primary that has become a replica is left: the connection is made anew', async (t) => {
  const server = await startEmbeddedRedis({ kind: 'auto' });
  t.teardown(server.stop);
  const operator = await connectPatiently(server.url, 60_000);
  t.teardown(() => operator.disconnect());
  const { logger, linesWith } = createRecordedLogger();
  const redis = connectRedis(server.url, logger, 60_000);
  t.teardown(() => redis.disconnect());
  await once(redis, 'ready');
  const circuit = patientCircuit(logger);
  const limiter = createRateLimiter({ redis, circuit, keyPrefix: 'token', points: 5, durationSeconds: 600 });
  t.true((await limiter.consume('a')).isAllowed);
  const before = await redis.client('ID');

  await operator.call('REPLICAOF', '127.0.0.1', '1');
  const isMadeAnew = once(redis, 'ready');
  t.true((await limiter.consume('a')).isAllowed, 'counted by the process meanwhile');
  await isMadeAnew;

  t.is(linesWith(awayMessage), 1);
  t.not(await redis.client('ID'), before);
});
