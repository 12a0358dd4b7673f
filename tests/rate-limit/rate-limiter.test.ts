import test, { type ExecutionContext } from 'ava';
import {
  consume,
  type Limit,
  linesWith,
  type RedisServerKind,
  redisServerKinds,
  startReplica,
  unavailableMessage,
} from './redis-servers.ts';

/** The same limit in two processes. */
async function startReplicas(t: ExecutionContext, kind: RedisServerKind, limit: Limit) {
  const server = await kind.start();
  t.teardown(server.stop);
  const [one, other] = [await startReplica(t, server.url), await startReplica(t, server.url)];
  const first = one.limiterOf('limit', limit);
  return { redis: one.redis, log: one.log, first, second: other.limiterOf('limit', limit) };
}

if ((await redisServerKinds()).length < 2)
  test.skip('no valkey-server or redis-server on PATH: only the JavaScript Redis is tried', () => undefined);

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} two replicas accept exactly 120 of 300 parallel requests`, async (t) => {
    const { first, second, log } = await startReplicas(t, kind, { points: 120, durationSeconds: 600 });
    const requests = Array.from({ length: 300 }, (_, index) => (index % 2 ? first : second).consume('token'));
    const verdicts = await Promise.all(requests);

    const accepted = verdicts.filter(({ isAllowed }) => isAllowed);
    t.deepEqual(
      accepted.map(({ remaining }) => remaining).sort((a, b) => b - a),
      Array.from({ length: 120 }, (_, index) => 119 - index),
    );
    t.true(verdicts.every(({ limit }) => limit === 120));
    t.true(verdicts.every(({ resetSeconds }) => resetSeconds >= 1 && resetSeconds <= 600));
    const refused = verdicts.filter(({ isAllowed }) => !isAllowed);
    t.true(refused.every(({ remaining }) => remaining === 0));
    t.true(refused.every(({ retryAfterSeconds, resetSeconds }) => retryAfterSeconds === resetSeconds));
    t.is(linesWith(log, unavailableMessage), 0);
  });

  test(`on ${kind.name} keys are counted apart and expire`, async (t) => {
    const { redis, first, second } = await startReplicas(t, kind, { points: 1, durationSeconds: 600 });
    t.deepEqual([await consume(first, 1, 'one'), await consume(first, 1, 'two')], [[0], [0]]);
    t.deepEqual(await consume(second, 1, 'one'), ['refused']);

    const keys = await redis.keys('*');
    t.deepEqual(keys.sort(), ['limit:one', 'limit:two']);
    const lifetimes = await Promise.all(keys.map((key) => redis.pttl(key)));
    t.true(lifetimes.every((milliseconds) => milliseconds > 0 && milliseconds <= 600_001));
  });

  test(`on ${kind.name} a flush starts the count anew and a lost script is sent again`, async (t) => {
    const { redis, first, second, log } = await startReplicas(t, kind, { points: 2, durationSeconds: 600 });
    t.deepEqual([await consume(first, 2), await consume(second, 1)], [[1, 0], ['refused']]);
    await redis.flushall();
    await redis.script('FLUSH');
    t.deepEqual([await consume(first, 1), await consume(second, 1)], [[1], [0]]);
    t.deepEqual(await consume(first, 1), ['refused']);
    t.is(linesWith(log, unavailableMessage), 0);
  });

  test(`on ${kind.name} a refunded request was never counted, in any replica`, async (t) => {
    const { redis, first, second } = await startReplicas(t, kind, { points: 3, durationSeconds: 600 });
    t.deepEqual(await consume(first, 3), [2, 1, 0]);
    await second.refund('key');
    t.deepEqual(await consume(second, 2), [0, 'refused']);
    for (let time = 0; time < 20; time += 1) {
      t.deepEqual(await consume(first, 1, 'other'), [2]);
      await first.refund('other');
    }
    t.deepEqual(await redis.keys('*'), ['limit:key']);
  });

  test(`on ${kind.name} a refund of an uncounted request allows no further one`, async (t) => {
    const { redis, first } = await startReplicas(t, kind, { points: 3, durationSeconds: 600 });
    await consume(first, 1, 'other');
    await Promise.all([first.refund('key'), first.refund('key')]);
    t.deepEqual(await consume(first, 4), [2, 1, 0, 'refused']);
    t.is(await redis.llen('limit:other'), 1);
  });

  test(`on ${kind.name} parallel requests of which some are refunded leave exactly the others`, async (t) => {
    const { redis, first } = await startReplicas(t, kind, { points: 100, durationSeconds: 600 });
    await Promise.all(
      Array.from({ length: 50 }, async (_, index) => {
        await first.consume('key');
        if (index % 2 === 0) await first.refund('key');
      }),
    );
    t.is(await redis.llen('limit:key'), 25);
  });
}
