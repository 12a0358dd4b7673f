import { mock } from 'node:test';
import test from 'ava';
import { createTokenUseRecorder } from '#resource-api/auth/token-use-recorder.ts';
import type { TokenUse } from '#resource-api/auth/token-use-repository.ts';
import { createCapturedLog } from '#tests/support/captured-log.ts';
import { createTestClock } from '#tests/support/test-clock.ts';
import { waitFor } from '#tests/support/wait-for.ts';

function setUp(options: { capacity?: number } = {}) {
  const clock = createTestClock();
  clock.set('2026-11-16T12:00:00Z');
  const log = createCapturedLog();
  const writes: string[][] = [];
  const database = { isAway: false };
  const recorder = createTokenUseRecorder({
    clock,
    logger: log.loggerFor('test'),
    ...options,
    async write(uses: readonly TokenUse[]) {
      writes.push(uses.map(({ tokenId, usedAt }) => `${tokenId} ${usedAt.toISOString().slice(11, 19)}`));
      if (database.isAway) throw new Error('the database is away');
    },
  });
  const note = (...tokenIds: string[]) => {
    for (const tokenId of tokenIds) {
      const account = { id: 'account', plan: 'free', timezone: 'UTC', status: 'active' } as const;
      recorder.note({
        account,
        kind: 'token',
        credentialId: tokenId,
        tokenId,
        tokenName: 'name',
        scopes: [],
      });
    }
  };
  return { clock, log: log.lines, writes, database, recorder, note };
}

test('uses that come together are written together, each token once', async (t) => {
  const { writes, recorder, note } = setUp();
  note('a', 'b', 'a', 'c', 'b');
  t.deepEqual(writes, []);
  await waitFor(() => writes.length > 0, { what: 'the uses to be written' });
  t.deepEqual(writes, [['a 12:00:00', 'b 12:00:00', 'c 12:00:00']]);
  await recorder.close();
  t.is(writes.length, 1);
});

// By itself: it moves the clock by which others wait.
test.serial('a token is noted again a minute later', async (t) => {
  const { clock, writes, recorder, note } = setUp();
  const now = performance.now();
  const time = mock.method(performance, 'now', () => now);
  t.teardown(() => time.mock.restore());
  note('a');
  await recorder.close();
  note('a');
  await recorder.close();
  t.deepEqual(writes, [['a 12:00:00']]);
  time.mock.mockImplementation(() => now + 60_001);
  clock.advance(60_001);
  note('a');
  await recorder.close();
  t.deepEqual(writes, [['a 12:00:00'], ['a 12:01:00']]);
});

test('a failure is logged once and rejects nothing; the next use of the token is written', async (t) => {
  const { log, writes, database, recorder, note } = setUp();
  database.isAway = true;
  note('a');
  await recorder.close();
  note('a', 'b');
  await recorder.close();
  t.deepEqual(writes, [['a 12:00:00'], ['a 12:00:00', 'b 12:00:00']]);
  t.is(log.length, 1);
  database.isAway = false;
  note('b');
  await recorder.close();
  t.deepEqual(writes.at(-1), ['b 12:00:00']);
  database.isAway = true;
  note('c');
  await recorder.close();
  t.is(log.length, 2);
});

test('no more tokens wait and are remembered than there is room for', async (t) => {
  const { writes, recorder, note } = setUp({ capacity: 2 });
  note('a', 'b', 'c');
  await recorder.close();
  t.deepEqual(writes.pop(), ['a 12:00:00', 'b 12:00:00']);
  note('c', 'a');
  await recorder.close();
  t.deepEqual(writes.pop(), ['c 12:00:00', 'a 12:00:00']);
  note('c', 'a', 'b');
  await recorder.close();
  t.deepEqual(writes.pop(), ['b 12:00:00']);
});
