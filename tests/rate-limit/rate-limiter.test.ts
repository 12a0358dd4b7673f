import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { countRequestsScript } from '#shared/rate-limit/count-requests-script.ts';
import { createReplyWait } from '#shared/redis/reply-wait.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';
import {
  connectPatiently,
  consume,
  type Limit,
  linesWith,
  type RedisServerKind,
  recoveredMessage,
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

  test(`on ${kind.name} no process exceeds the limit after a flush; scripts are loaded again`, async (t) => {
    const { redis, first, second, log } = await startReplicas(t, kind, { points: 2, durationSeconds: 600 });
    t.deepEqual([await consume(first, 2), await consume(second, 1)], [[1, 0], ['refused']]);
    await redis.flushall();
    await redis.script('FLUSH');
    t.deepEqual(await consume(first, 1), ['refused']);
    t.deepEqual(await consume(second, 3), [1, 0, 'refused'], 'it has accepted none');
    t.is(linesWith(log, unavailableMessage), 0);
  });
}

/** The script as it is, but that TIME returns what the test says. */
const scriptWithGivenTime = `
local server = redis
local redis = { call = function(command, ...)
  if command == 'TIME' then return { ARGV[#ARGV - 1], ARGV[#ARGV] } end
  return server.call(command, ...)
end }
${countRequestsScript}`;

type WindowLimit = { points: number; windowSeconds: number };
type Outcome = { consumed: number; milliseconds: number };

/** Ahead of the server's own clock, so that no key expires during the test. */
const start = (Date.now() + 86_400_000) * 1000;
let keys = 0;

/** What the script returns for requests at so many microseconds after `start`, in this order. */
async function outcomesAt(redis: Redis, limit: WindowLimit, moments: readonly number[]): Promise<Outcome[]> {
  keys += 1;
  const replies = moments.map((moment) => {
    const at = start + moment;
    const time = [Math.floor(at / 1e6), at % 1e6];
    return redis.eval(scriptWithGivenTime, 1, `log-${keys}`, 1, limit.windowSeconds, limit.points, ...time);
  });
  return (await Promise.all(replies)).map((reply) => {
    const [, consumed = Number.NaN, milliseconds = Number.NaN] = Array.isArray(reply)
      ? reply.map(Number)
      : [];
    return { consumed, milliseconds };
  });
}

/** The rule, over the whole history. */
function expectedOutcomes({ points, windowSeconds }: WindowLimit, moments: readonly number[]): Outcome[] {
  const accepted: number[] = [];
  const window = windowSeconds * 1e6;
  return moments.map((now) => {
    const before = accepted.filter((moment) => now - moment < window);
    const isAccepted = before.length < points;
    if (isAccepted) accepted.push(now);
    const milliseconds = Math.ceil((Math.min(now, ...before) + window - now) / 1000);
    return { consumed: isAccepted ? before.length + 1 : points + 1, milliseconds };
  });
}

const limits = fc.record({
  points: fc.integer({ min: 1, max: 6 }),
  windowSeconds: fc.integer({ min: 1, max: 3 }),
});

const histories = limits.chain((limit) => {
  const window = limit.windowSeconds * 1e6;
  const step = fc.oneof(
    fc.constantFrom(0, 1, window - 1, window, window + 1),
    fc.integer({ min: 0, max: Math.floor(window / 3) }),
    fc.integer({ min: 0, max: 2 * window }),
  );
  return fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
    let moment = 0;
    return { limit, moments: steps.map((elapsed) => (moment += elapsed)) };
  });
});

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} every request is counted in the window that ends with it`, async (t) => {
    const server = await kind.start();
    t.teardown(server.stop);
    const redis = await connectPatiently(t, server.url);
    await fc.assert(
      fc.asyncProperty(histories, async ({ limit, moments }) => {
        const outcomes = await outcomesAt(redis, limit, moments);
        t.deepEqual(outcomes, expectedOutcomes(limit, moments));
        const accepted = moments.filter(
          (_, index) => (outcomes[index]?.consumed ?? Infinity) <= limit.points,
        );
        const spans = accepted.slice(limit.points).map((moment, at) => moment - (accepted[at] ?? 0));
        t.true(spans.every((span) => span >= limit.windowSeconds * 1e6));
      }),
      { numRuns: 120 },
    );
  });

  test(`on ${kind.name} a clock set back blocks no key for longer than two windows`, async (t) => {
    const server = await kind.start();
    t.teardown(server.stop);
    const redis = await connectPatiently(t, server.url);
    const limit = { points: 2, windowSeconds: 10 };

    const halfWindow = await outcomesAt(redis, limit, [50e6, 50e6, 45e6, 59_999_999, 60e6]);
    t.deepEqual(
      halfWindow.map(({ consumed }) => consumed),
      [1, 2, 3, 3, 1],
    );
    t.is(halfWindow[2]?.milliseconds, 15_000);

    const hours = await outcomesAt(redis, limit, [7_200e6, 7_200e6, 0, 0, 0]);
    t.deepEqual(
      hours.map(({ consumed }) => consumed),
      [1, 2, 1, 2, 3],
    );
  });
}

/** Waits of milliseconds: one after the other, before the tests above. */
function createTrial(waitMilliseconds: number) {
  const log = createCapturedLog();
  const available: boolean[] = [];
  const observer = { fellBack: () => undefined, availabilityChanged: (is: boolean) => available.push(is) };
  return {
    ...createReplyWait({ logger: log.loggerFor('test'), observer, waitMilliseconds }),
    log,
    available,
  };
}

test.serial('after a failure no request waits, until a reply comes in time', async (t) => {
  const { send, log, available } = createTrial(60_000);
  t.is(await send(async () => 'reply').inTime, 'reply');
  t.is(await send(() => Promise.reject(new Error('not connected'))).inTime, undefined);
  const { reply, inTime } = send(async () => 'reply');
  t.is(await inTime, undefined);
  t.is(await reply, 'reply');
  t.is(await send(async () => 'reply').inTime, 'reply');
  t.deepEqual(available, [false, true]);
  t.deepEqual([linesWith(log, unavailableMessage), linesWith(log, recoveredMessage)], [1, 1]);
});

test.serial('a late reply is still delivered, and does not end the outage', async (t) => {
  const { send, available } = createTrial(20);
  const slow = Promise.withResolvers<string>();
  const { reply, inTime } = send(() => slow.promise);
  t.is(await inTime, undefined);
  slow.resolve('reply');
  t.is(await reply, 'reply');
  t.deepEqual(available, [false]);
});

/** Replies, and then keeps the whole process busy for longer than is waited. */
async function startBusyServer(t: ExecutionContext): Promise<Socket> {
  const server = createServer((socket) => {
    // The client may leave while this process is busy.
    socket.on('error', () => undefined);
    socket.on('data', () => {
      socket.write('reply');
      const end = performance.now() + 100;
      while (performance.now() < end);
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const address = server.address();
  const client = connect(typeof address === 'object' && address ? address.port : 0, '127.0.0.1');
  t.teardown(() => {
    client.destroy();
    server.close();
  });
  await once(client, 'connect');
  return client;
}

test.serial('a reply already received counts, however long the event loop was blocked', async (t) => {
  const client = await startBusyServer(t);
  const { inTime } = createTrial(20).send(async () => {
    client.write('command');
    const [data] = await once(client, 'data');
    return String(data);
  });
  t.is(await inTime, 'reply');
});
