import test from 'ava';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { countRequestsScript } from '#shared/rate-limit/count-requests-script.ts';
import { connectPatiently, redisServerKinds } from './redis-servers.ts';

/** The script as it is, but that TIME returns what the test says. */
const scriptWithGivenTime = `
local server = redis
local redis = { call = function(command, ...)
  if command == 'TIME' then return { ARGV[#ARGV - 1], ARGV[#ARGV] } end
  return server.call(command, ...)
end }
${countRequestsScript}`;

type Limit = { points: number; windowSeconds: number };
type Outcome = { consumed: number; milliseconds: number };

/** Ahead of the server's own clock, so that no key expires during the test. */
const start = (Date.now() + 86_400_000) * 1000;
let keys = 0;

/** What the script returns for requests at so many microseconds after `start`, in this order. */
async function outcomesAt(redis: Redis, limit: Limit, moments: readonly number[]): Promise<Outcome[]> {
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
function expectedOutcomes({ points, windowSeconds }: Limit, moments: readonly number[]): Outcome[] {
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
