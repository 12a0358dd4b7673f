import test from 'ava';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { answerOf } from '../matrix/problem-answer.ts';
import { type HeaderLine, parsed, plainHeaders, requestBytes } from './raw-exchange.ts';

/** Any address has one request only, so that the second one from it tells. */
const limits = { requestsPerAddressPerMinute: 1 };

/** Unchecked, because the check would send a request of its own first. */
async function isNewAddress(stack: Stack, ...headers: readonly HeaderLine[]): Promise<boolean> {
  const bytes = requestBytes('GET', '/api/public/v1/me', [...plainHeaders, ...headers]);
  const answer = answerOf(parsed(await stack.anonymous.raw(bytes)));
  if (answer.status !== 401 && answer.status !== 429) throw new Error(`unexpected: ${answer.status}`);
  return answer.status === 401;
}

const forwardedFor = (value: string): HeaderLine => ['X-Forwarded-For', value];

test.serial('with a trusted proxy the client is the last entry but one', async (t) => {
  const stack = await startStack(t, { ...limits, environment: { TRUSTED_PROXY_HOPS: '1' } });
  t.true(await isNewAddress(stack, forwardedFor('203.0.113.1, 10.0.0.1')));
  t.true(await isNewAddress(stack, forwardedFor('203.0.113.2, 10.0.0.1')));
  t.false(await isNewAddress(stack, forwardedFor('198.51.100.9, 203.0.113.1, 10.0.0.1')));
});

test.serial('a client cannot choose its address through the gateway, by any header', async (t) => {
  const stack = await startStack(t, { ...limits, withAuthServer: true });
  t.true(await isNewAddress(stack));
  t.false(await isNewAddress(stack, forwardedFor('203.0.113.1, 203.0.113.2')));
  for (const name of ['X-Real-IP', 'Forwarded', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP', 'Via'])
    t.false(await isNewAddress(stack, [name, '203.0.113.1']), name);
});
