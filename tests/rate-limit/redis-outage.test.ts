import { once } from 'node:events';
import test, { type ExecutionContext } from 'ava';
import { findRedisBinaries, startEmbeddedRedis } from '#local/embedded-redis.ts';
import { type ApiRateLimiter, createRateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { createRequestCounter } from '#shared/rate-limit/request-counter.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { createReplyWait } from '#shared/redis/reply-wait.ts';
import { behindProxy } from '../support/behind-proxy.ts';
import { type CapturedLog, createCapturedLog } from '../support/captured-log.ts';
import { waitFor } from '../support/wait-for.ts';
import {
  connectPatiently,
  consume,
  linesWith,
  recoveredMessage,
  redisServerKinds,
  startReplica,
  unavailableMessage,
} from './redis-servers.ts';

const [program] = findRedisBinaries();
const withRedis = program === undefined ? test.skip : test;
const limit = { points: 5, durationSeconds: 600 };

/** Requests go on meanwhile; it is they that find Redis recovered. */
function waitForRecovery(log: CapturedLog, limiter: ApiRateLimiter): Promise<unknown> {
  return waitFor(async () => {
    await limiter.consume('meanwhile');
    return linesWith(log, recoveredMessage) > 0;
  });
}

function outages(t: ExecutionContext, log: CapturedLog, expected: { begun: number; ended: number }): void {
  const [begun, ended] = [linesWith(log, unavailableMessage), linesWith(log, recoveredMessage)];
  t.deepEqual({ begun, ended }, expected);
}

for (const kind of await redisServerKinds()) {
  test(`while ${kind.name} is stopped each process limits alone, from what it has accepted`, async (t) => {
    const server = await kind.start();
    t.teardown(server.stop);
    const { redis, log, limiterOf } = await startReplica(t, server.url);
    const [perToken, perAddress] = [limiterOf('token', limit), limiterOf('address', limit)];
    t.deepEqual(await consume(perToken, 2), [4, 3]);

    await server.stop();
    t.deepEqual(await consume(perToken, 5), [2, 1, 0, 'refused', 'refused']);
    t.deepEqual(await consume(perAddress, 6), [4, 3, 2, 1, 0, 'refused']);
    outages(t, log, { begun: 1, ended: 0 });

    const restarted = await kind.start({ port: server.port, password: server.password });
    t.teardown(() => restarted.stop());
    await waitForRecovery(log, perToken);
    t.deepEqual(await consume(perToken, 2), ['refused', 'refused'], 'what was accepted alone still counts');
    t.is(await redis.llen('token:key'), 0, 'what is refused does not count');
    outages(t, log, { begun: 1, ended: 1 });
  });
}

test('a refusal of Redis that comes too late for its request refuses the next one', async (t) => {
  const server = await startEmbeddedRedis({ kind: 'auto' });
  t.teardown(server.stop);
  const { proxy, url } = await behindProxy(t, server.url);
  const [near, far] = [await startReplica(t, server.url), await startReplica(t, url, 50)];
  await consume(near.limiterOf('limit', limit), 5);
  const limiter = far.limiterOf('limit', limit);
  proxy.setMode('freeze');
  t.deepEqual(await consume(limiter, 1), [4]);
  proxy.setMode('pass');
  // Replies arrive in order, and the first one may come with the late one.
  await far.redis.ping();
  await far.redis.ping();
  t.deepEqual(await consume(limiter, 1), ['refused']);
});

withRedis('a primary that has become a replica is left: the connection is made anew', async (t) => {
  const server = await startEmbeddedRedis({ kind: 'auto' });
  t.teardown(server.stop);
  const operator = await connectPatiently(t, server.url);
  const log = createCapturedLog();
  const logger = log.loggerFor('test');
  const redis = connectRedis(server.url, logger);
  t.teardown(() => redis.disconnect());
  await once(redis, 'ready');
  const counter = createRequestCounter(redis, createReplyWait({ logger, waitMilliseconds: 60_000 }));
  const limiter = createRateLimiter(counter, { keyPrefix: 'token', ...limit });
  t.deepEqual(await consume(limiter, 1), [4]);
  const before = await redis.client('ID');

  await operator.call('REPLICAOF', '127.0.0.1', '1');
  const isMadeAnew = once(redis, 'ready');
  t.deepEqual(await consume(limiter, 1), [3], 'counted by the process meanwhile');
  await isMadeAnew;

  outages(t, log, { begun: 1, ended: 0 });
  t.not(await redis.client('ID'), before);
});
