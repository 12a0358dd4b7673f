import test from 'ava';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { slidingWindowScript } from '#shared/rate-limit/sliding-window-script.ts';
import { connectPatiently, redisServerKinds } from './redis-servers.ts';

/** The script as it is, but that TIME answers what the test says. */
const scriptWithGivenTime = `
local server = redis
local redis = { call = function(command, ...)
  if command == 'TIME' then return { ARGV[5], ARGV[6] } end
  return server.call(command, ...)
end }
${slidingWindowScript}`;

type Limit = { points: number; windowSeconds: number };
type Answer = { consumed: number; milliseconds: number };

/** Ahead of the server's own clock, so that no key expires while it is being asked. */
const start = (Date.now() + 86_400_000) * 1000;
let keys = 0;

/** What the script answers to a request at each of the moments (microseconds after `start`), in this order. */
async function answersOf(redis: Redis, limit: Limit, moments: readonly number[]): Promise<Answer[]> {
  keys += 1;
  const key = `log-${keys}`;
  const { points, windowSeconds } = limit;
  const replies = moments.map((moment) => {
    const at = start + moment;
    const time = [Math.floor(at / 1e6), at % 1e6];
    return redis.eval(scriptWithGivenTime, 1, key, 1, windowSeconds, points, windowSeconds, ...time);
  });
  return (await Promise.all(replies)).map((reply) => {
    const [consumed, milliseconds] = Array.isArray(reply) ? reply : [];
    return { consumed: Number(consumed), milliseconds: Number(milliseconds) };
  });
}

/** The rule as it is told, over the whole history. */
function expectedAnswers({ points, windowSeconds }: Limit, moments: readonly number[]): Answer[] {
  const window = windowSeconds * 1e6;
  const accepted: number[] = [];
  return moments.map((now) => {
    const before = accepted.filter((moment) => now - moment < window);
    const isAccepted = before.length < points;
    if (isAccepted) accepted.push(now);
    const oldest = Math.min(now, ...before);
    const milliseconds = Math.ceil((oldest + window - now) / 1000);
    return { consumed: isAccepted ? before.length + 1 : points + 1, milliseconds };
  });
}

const history = fc.integer({ min: 1, max: 3 }).chain((windowSeconds) => {
  const window = windowSeconds * 1e6;
  const step = fc.oneof(
    fc.constantFrom(0, 1, window - 1, window, window + 1),
    fc.integer({ min: 0, max: Math.floor(window / 3) }),
    fc.integer({ min: 0, max: 2 * window }),
  );
  return fc.record({
    limit: fc.record({ points: fc.integer({ min: 1, max: 6 }), windowSeconds: fc.constant(windowSeconds) }),
    moments: fc.array(step, { minLength: 1, maxLength: 40 }).map((steps) => {
      let now = 0;
      return steps.map((elapsed) => {
        now += elapsed;
        return now;
      });
    }),
  });
});

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} every request is judged by the window that ends with it`, async (t) => {
    const server = await kind.start();
    const redis = await connectPatiently(server.url, 60_000);
    t.teardown(() => {
      redis.disconnect();
      return server.stop();
    });

    await fc.assert(
      fc.asyncProperty(history, async ({ limit, moments }) => {
        const answers = await answersOf(redis, limit, moments);
        t.deepEqual(answers, expectedAnswers(limit, moments));

        const accepted = moments.filter((_, index) => (answers[index]?.consumed ?? 0) <= limit.points);
        const spans = accepted.slice(limit.points).map((moment, index) => moment - (accepted[index] ?? 0));
        t.true(spans.every((span) => span >= limit.windowSeconds * 1e6));
      }),
      { numRuns: 60 },
    );
  });

  test(`on ${kind.name} a clock that is set back does not lock anybody out for longer than two windows`, async (t) => {
    const server = await kind.start();
    const redis = await connectPatiently(server.url, 60_000);
    t.teardown(() => {
      redis.disconnect();
      return server.stop();
    });
    const limit = { points: 2, windowSeconds: 10 };

    const halfWindow = await answersOf(redis, limit, [50e6, 50e6, 45e6, 59_999_999, 60e6]);
    t.deepEqual(
      halfWindow.map(({ consumed }) => consumed),
      [1, 2, 3, 3, 1],
    );
    t.is(halfWindow[2]?.milliseconds, 15_000);

    const hours = await answersOf(redis, limit, [7_200e6, 7_200e6, 0, 0, 0]);
    t.deepEqual(
      hours.map(({ consumed }) => consumed),
      [1, 2, 1, 2, 3],
    );
  });
}
