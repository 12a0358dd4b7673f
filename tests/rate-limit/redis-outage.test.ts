import { setTimeout as delay } from 'node:timers/promises';
import test from 'ava';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { createRedisCircuit } from '#shared/rate-limit/redis-circuit.ts';
import { awayMessage, backMessage, createRecordedLogger } from './recorded-logger.ts';
import { connectPatiently, patientCircuit, redisServerKinds } from './redis-servers.ts';

const limit = { points: 5, durationSeconds: 600 };

async function acceptedOf(requests: number, limiter: RateLimiter): Promise<number> {
  let accepted = 0;
  for (let request = 0; request < requests; request += 1)
    accepted += (await limiter.consume('token')).isAllowed ? 1 : 0;
  return accepted;
}

/** Requests go on meanwhile; it is they that find Redis back. */
async function keepAskingUntil(condition: () => boolean, limiter: RateLimiter): Promise<void> {
  while (!condition()) {
    await limiter.consume('meanwhile');
    await delay(20);
  }
}

for (const kind of await redisServerKinds()) {
  test(`with ${kind.name} stopped each process limits by itself until it is back`, async (t) => {
    const server = await kind.start();
    const redis = await connectPatiently(server.url, 5_000);
    t.teardown(() => redis.disconnect());
    const { logger, linesWith } = createRecordedLogger();
    const circuit = patientCircuit(logger);
    const perToken = createRateLimiter({ redis, circuit, keyPrefix: 'token', ...limit });
    const perAddress = createRateLimiter({ redis, circuit, keyPrefix: 'address', ...limit });
    t.is(await acceptedOf(2, perToken), 2);

    await server.stop();
    t.is(await acceptedOf(20, perToken), 5);
    t.is(await acceptedOf(20, perAddress), 5);
    t.is(linesWith(awayMessage), 1);

    const restarted = await kind.start({ port: server.port, password: server.password });
    t.teardown(() => restarted.stop());
    await keepAskingUntil(() => linesWith(backMessage) > 0, perToken);
    t.is(await acceptedOf(20, perToken), 5);
    t.is(await redis.llen('token:token'), 5);
    t.deepEqual([linesWith(awayMessage), linesWith(backMessage)], [1, 1]);
  });

  test(`with ${kind.name} frozen each process limits by itself until it moves again`, async (t) => {
    const server = await kind.start();
    const redis = await connectPatiently(server.url, 60_000);
    t.teardown(() => {
      process.kill(server.pid, 'SIGCONT');
      redis.disconnect();
      return server.stop();
    });
    const { logger, linesWith } = createRecordedLogger();
    const circuit = createRedisCircuit({ logger, waitMilliseconds: 1_000 });
    const limiter = createRateLimiter({ redis, circuit, keyPrefix: 'limit', ...limit });
    t.is(await acceptedOf(2, limiter), 2);

    process.kill(server.pid, 'SIGSTOP');
    t.is(await acceptedOf(20, limiter), 5);
    t.is(linesWith(awayMessage), 1);

    process.kill(server.pid, 'SIGCONT');
    await keepAskingUntil(() => linesWith(backMessage) > 0, limiter);
    await acceptedOf(20, limiter);
    t.is(await redis.llen('limit:token'), 5);
  });
}
