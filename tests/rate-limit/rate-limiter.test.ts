import test, { type ExecutionContext } from 'ava';
import type { Redis } from 'ioredis';
import { createRateLimiter, type RateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { awayMessage, createRecordedLogger, type RecordedLogger } from './recorded-logger.ts';
import { connectPatiently, patientCircuit, type RedisServerKind, redisServerKinds } from './redis-servers.ts';

type Limit = { points: number; durationSeconds: number };
type Replicas = { redis: Redis; first: RateLimiter; second: RateLimiter; log: RecordedLogger };

/** The same limit in two processes' stead: two limiters, each on a connection of its own. */
async function startReplicas(t: ExecutionContext, kind: RedisServerKind, limit: Limit): Promise<Replicas> {
  const server = await kind.start();
  const redis = await connectPatiently(server.url, 60_000);
  const other = await connectPatiently(server.url, 60_000);
  t.teardown(() => {
    redis.disconnect();
    other.disconnect();
    return server.stop();
  });
  const log = createRecordedLogger();
  const limiterOn = (connection: Redis): RateLimiter =>
    createRateLimiter({
      redis: connection,
      circuit: patientCircuit(log.logger),
      keyPrefix: 'limit',
      ...limit,
    });
  return { redis, first: limiterOn(redis), second: limiterOn(other), log };
}

async function microsecondsOf(redis: Redis): Promise<number> {
  const [seconds, microseconds] = await redis.time();
  return Number(seconds) * 1e6 + Number(microseconds);
}

if ((await redisServerKinds()).length < 2)
  test.skip('no valkey-server or redis-server on PATH: only the JavaScript Redis is tried', () => undefined);

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} two replicas accept exactly 120 of 300 parallel requests`, async (t) => {
    const { first, second, log } = await startReplicas(t, kind, { points: 120, durationSeconds: 600 });
    const requests = Array.from({ length: 300 }, (_, index) => (index % 2 ? first : second).consume('token'));
    const verdicts = await Promise.all(requests);

    const accepted = verdicts.filter(({ isAllowed }) => isAllowed);
    t.is(accepted.length, 120);
    t.deepEqual(
      accepted.map(({ remaining }) => remaining).sort((a, b) => b - a),
      Array.from({ length: 120 }, (_, index) => 119 - index),
    );
    t.true(verdicts.every(({ limit }) => limit === 120));
    t.true(verdicts.every(({ resetSeconds }) => resetSeconds >= 1 && resetSeconds <= 600));
    const refused = verdicts.filter(({ isAllowed }) => !isAllowed);
    t.true(refused.every(({ remaining }) => remaining === 0));
    t.true(refused.every(({ retryAfterSeconds, resetSeconds }) => retryAfterSeconds === resetSeconds));
    t.is(log.linesWith(awayMessage), 0);
  });

  test(`on ${kind.name} a client that never stops asking gets its points in every window, and no more`, async (t) => {
    const { redis, first, second } = await startReplicas(t, kind, { points: 4, durationSeconds: 1 });
    const accepted: { from: number; to: number }[] = [];
    let asked = 0;
    while (accepted.length < 9) {
      const from = await microsecondsOf(redis);
      const { isAllowed } = await (asked % 2 ? first : second).consume('token');
      if (isAllowed) accepted.push({ from, to: await microsecondsOf(redis) });
      asked += 1;
    }

    t.true(asked > accepted.length);
    // Each was accepted at some moment from `from` to `to`; of any five in a row the fifth is a window later.
    const spans = accepted.slice(4).map(({ to }, index) => to - (accepted[index]?.from ?? Number.NaN));
    t.true(spans.every((span) => span >= 1e6));
  });

  test(`on ${kind.name} keys are counted apart and go away by themselves`, async (t) => {
    const { redis, first, second } = await startReplicas(t, kind, { points: 1, durationSeconds: 600 });
    t.true((await first.consume('one')).isAllowed);
    t.true((await first.consume('two')).isAllowed);
    t.false((await second.consume('one')).isAllowed);

    const keys = await redis.keys('*');
    t.deepEqual(keys.sort(), ['limit:one', 'limit:two']);
    const lifetimes = await Promise.all(keys.map((key) => redis.pttl(key)));
    t.true(lifetimes.every((milliseconds) => milliseconds > 0 && milliseconds <= 600_001));
  });

  test(`on ${kind.name} a flush starts the count anew and a lost script is sent again`, async (t) => {
    const { redis, first, second, log } = await startReplicas(t, kind, { points: 2, durationSeconds: 600 });
    for (const remaining of [1, 0]) t.is((await first.consume('token')).remaining, remaining);
    t.false((await second.consume('token')).isAllowed);

    await redis.flushall();
    await redis.script('FLUSH');
    t.is((await first.consume('token')).remaining, 1);
    t.is((await second.consume('token')).remaining, 0);
    t.false((await first.consume('token')).isAllowed);
    t.is(log.linesWith(awayMessage), 0);
  });
}
