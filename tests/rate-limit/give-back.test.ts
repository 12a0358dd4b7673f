import test, { type ExecutionContext } from 'ava';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { awayMessage, createRecordedLogger } from './recorded-logger.ts';
import { connectPatiently, patientCircuit, type RedisServerKind, redisServerKinds } from './redis-servers.ts';

const limit = { keyPrefix: 'limit', points: 3, durationSeconds: 600 };

async function startLimiter(t: ExecutionContext, kind: RedisServerKind) {
  const server = await kind.start();
  const redis = await connectPatiently(server.url, 60_000);
  const other = await connectPatiently(server.url, 60_000);
  t.teardown(() => {
    redis.disconnect();
    other.disconnect();
    return server.stop();
  });
  const { logger, linesWith } = createRecordedLogger();
  const limiter = createRateLimiter({ redis, circuit: patientCircuit(logger), ...limit });
  const replica = createRateLimiter({ redis: other, circuit: patientCircuit(logger), ...limit });
  return { server, redis, linesWith, limiter, replica };
}

async function consume(limiter: RateLimiter, times: number, key = 'key'): Promise<(number | 'refused')[]> {
  const verdicts = [];
  for (let time = 0; time < times; time += 1) verdicts.push(await limiter.consume(key));
  return verdicts.map(({ isAllowed, remaining }) => (isAllowed ? remaining : 'refused'));
}

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} a request that is given back was never counted, in any replica`, async (t) => {
    const { limiter, replica, linesWith } = await startLimiter(t, kind);
    t.deepEqual(await consume(limiter, 3), [2, 1, 0]);
    await replica.giveBack('key');
    t.deepEqual(await consume(replica, 2), [0, 'refused']);
    t.is(linesWith(awayMessage), 0);
  });

  test(`on ${kind.name} whoever always gives back is never refused, and leaves nothing behind`, async (t) => {
    const { limiter, redis } = await startLimiter(t, kind);
    for (let time = 0; time < 20; time += 1) {
      t.deepEqual(await consume(limiter, 1), [2]);
      await limiter.giveBack('key');
    }
    t.deepEqual(await redis.keys('*'), []);
  });

  test(`on ${kind.name} giving back what was never counted opens no further place`, async (t) => {
    const { limiter, redis } = await startLimiter(t, kind);
    await consume(limiter, 1, 'other');
    await Promise.all([limiter.giveBack('key'), limiter.giveBack('key')]);
    t.deepEqual(await consume(limiter, 4), [2, 1, 0, 'refused']);
    t.is(await redis.llen('limit:other'), 1);
  });

  test(`on ${kind.name} parallel requests of which some are given back leave exactly the others`, async (t) => {
    const { limiter, redis } = await startLimiter(t, kind);
    const circuit = patientCircuit(createRecordedLogger().logger);
    const wide = createRateLimiter({ redis, circuit, ...limit, points: 100 });
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await wide.consume('key');
        if (index % 2 === 0) await wide.giveBack('key');
      }),
    );
    t.is(await redis.llen('limit:key'), 25);
    t.deepEqual(await consume(limiter, 1), ['refused']);
  });

  test(`with ${kind.name} stopped a process gives back what it counted itself`, async (t) => {
    const { server, limiter, linesWith } = await startLimiter(t, kind);
    await server.stop();
    t.deepEqual(await consume(limiter, 3), [2, 1, 0]);
    await limiter.giveBack('key');
    t.deepEqual(await consume(limiter, 2), [0, 'refused']);
    t.is(linesWith(awayMessage), 1);
  });

  test(`with ${kind.name} stopped giving back what was counted before opens no further place`, async (t) => {
    const { server, limiter } = await startLimiter(t, kind);
    t.deepEqual(await consume(limiter, 2), [2, 1]);
    await server.stop();
    await limiter.giveBack('key');
    await limiter.giveBack('key');
    t.deepEqual(await consume(limiter, 4), [2, 1, 0, 'refused']);
  });
}
