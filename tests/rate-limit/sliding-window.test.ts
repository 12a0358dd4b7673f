import test from 'ava';
import fc from 'fast-check';
import type { Redis } from 'ioredis';
import { slidingWindowScript } from '#shared/rate-limit/sliding-window-script.ts';
import { connectPatiently, redisServerKinds } from './redis-servers.ts';

/** The script as it is, but that TIME answers what the test says. */
const scriptWithGivenTime = `
local server = redis
local redis = { call = function(command, ...)
  if command == 'TIME' then return { ARGV[#ARGV - 1], ARGV[#ARGV] } end
  return server.call(command, ...)
end }
${slidingWindowScript}`;

type Limit = { points: number; windowSeconds: number };
type Answer = { consumed: number; milliseconds: number };

/** Ahead of the server's own clock, so that no key expires while it is being asked. */
const start = (Date.now() + 86_400_000) * 1000;
let keys = 0;

/** A request at so many microseconds after `start`, and which of the limits' keys it is counted by. */
type Request = { moment: number; asked: readonly number[] };

/** What the script answers to each request, in this order: an answer for each limit that was asked. */
async function answersOf(
  redis: Redis,
  limits: readonly Limit[],
  requests: readonly Request[],
): Promise<Answer[][]> {
  keys += 1;
  const replies = requests.map(({ moment, asked }) => {
    const logs = asked.map((index) => `log-${keys}-${index}`);
    const rules = asked.flatMap((index) => [limits[index]?.windowSeconds ?? 0, limits[index]?.points ?? 0]);
    const at = start + moment;
    const time = [Math.floor(at / 1e6), at % 1e6];
    return redis.eval(scriptWithGivenTime, logs.length, ...logs, ...rules, ...time);
  });
  return (await Promise.all(replies)).map((reply) => {
    const numbers = Array.isArray(reply) ? reply.map(Number) : [];
    return Array.from({ length: numbers.length / 2 }, (_, index) => ({
      consumed: numbers[2 * index] ?? Number.NaN,
      milliseconds: numbers[2 * index + 1] ?? Number.NaN,
    }));
  });
}

async function answersAt(redis: Redis, limit: Limit, moments: readonly number[]): Promise<Answer[]> {
  const requests = moments.map((moment) => ({ moment, asked: [0] }));
  return (await answersOf(redis, [limit], requests)).flat();
}

/** The rule as it is told, over the whole history. */
function expectedAnswers(limits: readonly Limit[], requests: readonly Request[]): Answer[][] {
  const accepted = limits.map((): number[] => []);
  return requests.map(({ moment: now, asked }) => {
    const answers: Answer[] = [];
    for (const index of asked) {
      const { points, windowSeconds } = limits[index] ?? { points: 0, windowSeconds: 0 };
      const window = windowSeconds * 1e6;
      const before = (accepted[index] ?? []).filter((moment) => now - moment < window);
      const isAccepted = before.length < points;
      const milliseconds = Math.ceil((Math.min(now, ...before) + window - now) / 1000);
      answers.push({ consumed: isAccepted ? before.length + 1 : points + 1, milliseconds });
      if (!isAccepted) break;
      accepted[index]?.push(now);
    }
    return answers;
  });
}

const limit = fc.record({
  points: fc.integer({ min: 1, max: 6 }),
  windowSeconds: fc.integer({ min: 1, max: 3 }),
});

/** Two limits, and requests that one of them counts, or both in either order. */
const history = fc.tuple(limit, limit).chain((limits) => {
  const window = limits[0].windowSeconds * 1e6;
  const step = fc.oneof(
    fc.constantFrom(0, 1, window - 1, window, window + 1),
    fc.integer({ min: 0, max: Math.floor(window / 3) }),
    fc.integer({ min: 0, max: 2 * window }),
  );
  const request = fc.record({ elapsed: step, asked: fc.constantFrom([0], [1], [0, 1], [1, 0]) });
  return fc.array(request, { minLength: 1, maxLength: 40 }).map((steps) => {
    let moment = 0;
    const requests = steps.map(({ elapsed, asked }): Request => {
      moment += elapsed;
      return { moment, asked };
    });
    return { limits, requests };
  });
});

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} every request is judged by the windows that end with it, of two only by the first that refuses`, async (t) => {
    const server = await kind.start();
    const redis = await connectPatiently(server.url, 60_000);
    t.teardown(() => {
      redis.disconnect();
      return server.stop();
    });

    await fc.assert(
      fc.asyncProperty(history, async ({ limits, requests }) => {
        const answers = await answersOf(redis, limits, requests);
        t.deepEqual(answers, expectedAnswers(limits, requests));

        for (const [index, { points, windowSeconds }] of limits.entries()) {
          const accepted = requests
            .filter(({ asked }, at) => (answers[at]?.[asked.indexOf(index)]?.consumed ?? Infinity) <= points)
            .map(({ moment }) => moment);
          const spans = accepted.slice(points).map((moment, at) => moment - (accepted[at] ?? 0));
          t.true(spans.every((span) => span >= windowSeconds * 1e6));
        }
      }),
      { numRuns: 120 },
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

    const halfWindow = await answersAt(redis, limit, [50e6, 50e6, 45e6, 59_999_999, 60e6]);
    t.deepEqual(
      halfWindow.map(({ consumed }) => consumed),
      [1, 2, 3, 3, 1],
    );
    t.is(halfWindow[2]?.milliseconds, 15_000);

    const hours = await answersAt(redis, limit, [7_200e6, 7_200e6, 0, 0, 0]);
    t.deepEqual(
      hours.map(({ consumed }) => consumed),
      [1, 2, 1, 2, 3],
    );
  });
}
