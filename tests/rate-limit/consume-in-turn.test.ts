import test, { type ExecutionContext } from 'ava';
import { consumeInTurn } from '#shared/rate-limit/consume-in-turn.ts';
import { createRateLimiter } from '#shared/rate-limit/rate-limiter.ts';
import { openCountedStore } from '../support/counted-store.ts';
import { awayMessage, createRecordedLogger } from './recorded-logger.ts';
import { connectPatiently, patientCircuit, type RedisServerKind, redisServerKinds } from './redis-servers.ts';

const perAddress = { keyPrefix: 'address', points: 6, durationSeconds: 600 };
const perToken = { keyPrefix: 'token', points: 3, durationSeconds: 600 };

async function startLimits(t: ExecutionContext, kind: RedisServerKind) {
  const server = await kind.start();
  t.teardown(server.stop);
  const store = await openCountedStore(t, server.url);
  const redis = await connectPatiently(store.url, 60_000);
  t.teardown(() => redis.disconnect());
  const { logger, linesWith } = createRecordedLogger();
  const circuit = patientCircuit(logger);
  const observed: string[] = [];
  const limiterOf = (limit: typeof perAddress) =>
    createRateLimiter({
      redis,
      circuit,
      ...limit,
      observe: ({ isAllowed }) => observed.push(`${limit.keyPrefix} ${isAllowed}`),
    });
  const [address, token] = [limiterOf(perAddress), limiterOf(perToken)];
  /** Places that are left at each limiter that was asked. */
  const send = async (addressKey: string, tokenKey: string): Promise<(number | 'refused')[]> => {
    const verdicts = await consumeInTurn(
      { limiter: address, key: addressKey },
      { limiter: token, key: tokenKey },
    );
    return verdicts.map(({ isAllowed, remaining }) => (isAllowed ? remaining : 'refused'));
  };
  return { server, redis, address, token, send, observed, store, linesWith };
}

for (const kind of await redisServerKinds()) {
  test(`on ${kind.name} the second limiter counts only what the first one accepts`, async (t) => {
    const { redis, token, send, observed } = await startLimits(t, kind);
    t.deepEqual(await send('a', 'one'), [5, 2]);
    t.deepEqual(await send('a', 'two'), [4, 2]);
    for (const expected of [
      [3, 1],
      [2, 0],
      [1, 'refused'],
    ])
      t.deepEqual(await send('a', 'one'), expected);
    t.deepEqual(await send('a', 'two'), [0, 1]);
    observed.length = 0;
    t.deepEqual(await send('a', 'two'), ['refused']);
    t.deepEqual(observed, ['address false']);
    t.deepEqual(await send('b', 'two'), [5, 0]);
    t.deepEqual(observed, ['address false', 'address true', 'token true']);
    t.false((await token.consume('two')).isAllowed);
    t.deepEqual(await redis.llen('address:a'), 6);
  });

  test(`on ${kind.name} of parallel requests exactly those count that both accept`, async (t) => {
    const { redis, send } = await startLimits(t, kind);
    const answers = await Promise.all(Array.from({ length: 40 }, () => send('a', 'one')));
    t.is(answers.filter(([first]) => first !== 'refused').length, 6);
    t.is(answers.filter(([, second]) => second !== undefined && second !== 'refused').length, 3);
    t.deepEqual([await redis.llen('address:a'), await redis.llen('token:one')], [6, 3]);
  });

  test(`on ${kind.name} two limiters are asked in one exchange`, async (t) => {
    const { send, store } = await startLimits(t, kind);
    // The first one also sends the script.
    await send('a', 'one');
    const before = store.roundTrips();
    await send('a', 'one');
    t.is(store.roundTrips() - before, 1);
  });

  test(`with ${kind.name} stopped both are counted by the process, together with what is asked of each`, async (t) => {
    const { server, address, token, send, linesWith } = await startLimits(t, kind);
    await server.stop();
    t.deepEqual(await send('a', 'one'), [5, 2]);
    t.is((await token.consume('one')).remaining, 1);
    t.deepEqual(await send('a', 'one'), [4, 0]);
    t.deepEqual(await send('a', 'one'), [3, 'refused']);
    for (let left = 2; left >= 0; left -= 1) t.is((await address.consume('a')).remaining, left);
    t.deepEqual(await send('a', 'two'), ['refused']);
    t.is((await token.consume('two')).remaining, 2);
    t.is(linesWith(awayMessage), 1);
  });
}
