import test from 'ava';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { answerOf } from '../matrix/problem-answer.ts';
import { type HeaderLine, parsed, plainHeaders, requestBytes } from './raw-exchange.ts';

/** Any address has one request only, so that the second one from it tells. */
const limits = { requestsPerAddressPerMinute: 1 };

/** Unchecked, because the check would send a request of its own first. */
async function isAccepted(stack: Stack, ...headers: readonly HeaderLine[]): Promise<boolean> {
  const bytes = requestBytes('GET', '/api/public/v1/me', [...plainHeaders, ...headers]);
  const answer = answerOf(parsed(await stack.anonymous.raw(bytes)));
  if (answer.status !== 401 && answer.status !== 429) throw new Error(`unexpected: ${answer.status}`);
  return answer.status === 401;
}

/** Whether each of these X-Forwarded-For values, in this order, was the first of its address. */
async function isNewAddress(stack: Stack, values: readonly (string | undefined)[]): Promise<boolean[]> {
  const answers: boolean[] = [];
  for (const value of values) {
    const headers = value === undefined ? [] : [['X-Forwarded-For', value] as const];
    answers.push(await isAccepted(stack, ...headers));
  }
  return answers;
}

test.serial('what our gateway wrote last is the caller, whatever the caller wrote before it', async (t) => {
  const stack = await startStack(t, limits);
  t.deepEqual(
    await isNewAddress(stack, ['203.0.113.1', '198.51.100.9, 203.0.113.1', '203.0.113.1, 203.0.113.2']),
    [true, false, true],
  );
  t.deepEqual(
    await isNewAddress(stack, ['2001:db8::1', '2001:db8::2', '2001:db8:0:0:ffff::', '2001:db8:0:1::1']),
    [true, false, false, true],
  );
  t.deepEqual(await isNewAddress(stack, ['203.0.113.9:4711', '203.0.113.9', '::ffff:203.0.113.9']), [
    true,
    false,
    false,
  ]);
});

test.serial('an entry that is not an address falls back to the connection’s', async (t) => {
  const stack = await startStack(t, limits);
  t.deepEqual(
    await isNewAddress(stack, [undefined, 'unknown', '', '203.0.113.256', "' or 1=1", '127.0.0.1']),
    [true, false, false, false, false, false],
  );
});

test.serial('with a trusted proxy the client is the last entry but one', async (t) => {
  const stack = await startStack(t, { ...limits, environment: { TRUSTED_PROXY_HOPS: '1' } });
  t.deepEqual(
    await isNewAddress(stack, [
      '203.0.113.1, 10.0.0.1',
      '203.0.113.2, 10.0.0.1',
      '198.51.100.9, 203.0.113.1, 10.0.0.1',
      '203.0.113.1, 198.51.100.1, 10.0.0.1',
      'unknown, 10.0.0.1',
      '10.0.0.1',
    ]),
    [true, true, false, true, true, false],
  );
});

test.serial('a client cannot choose its address through the gateway', async (t) => {
  const stack = await startStack(t, { ...limits, withAuthServer: true });
  t.deepEqual(await isNewAddress(stack, [undefined, '203.0.113.1', '203.0.113.1, 203.0.113.2']), [
    true,
    false,
    false,
  ]);
});

test.serial('other headers with an address are ignored', async (t) => {
  const stack = await startStack(t, limits);
  t.true(await isAccepted(stack));
  for (const name of ['X-Real-IP', 'Forwarded', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP', 'Via']) {
    t.false(await isAccepted(stack, [name, '203.0.113.1']), name);
  }
});
