import { randomUUID } from 'node:crypto';
import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { holdAccount } from '../idempotency/hold-account.ts';
import { createTokenIssuer } from '../oauth-tokens/token-issuer.ts';
import { withOneCounter } from './one-counter.ts';

const limits = { requestsPerTokenPerMinute: 6, requestsPerAddressPerMinute: 10 };
// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, limits);
const issuer = await createTokenIssuer(stack);
test.after.always(() => stack.close());

let addresses = 0;
const newAddress = () => {
  addresses += 1;
  return { 'X-Forwarded-For': `198.18.2.${addresses}` };
};

test.serial('requests refused by the address limit do not count for the token', async (t) => {
  const { refused, after } = await withOneCounter(stack, async () => {
    const client = await stack.newClient();
    const crowded = newAddress();
    await client.with(newAddress()).get('/me');
    for (let request = 0; request < 10; request += 1) await stack.anonymous.with(crowded).get('/me');
    const statuses = [];
    for (let request = 0; request < 3; request += 1)
      statuses.push((await client.with(crowded).get('/me')).status);
    return { refused: statuses, after: await client.with(newAddress()).get('/me') };
  });
  t.deepEqual(refused, [429, 429, 429]);
  t.is(after.headers.get('ratelimit-remaining'), '4');
});

test.serial('a revoked access token does not use up its app’s limit', async (t) => {
  const remaining = await withOneCounter(stack, async () => {
    const app = await issuer.connectApp(await stack.createAccount());
    const jti = randomUUID();
    const [first, second] = [await issuer.issue(app, { claims: { jti } }), await issuer.issue(app)];
    const send = (token: string) => stack.client(token).with(newAddress()).get('/me');
    await send(first);
    await stack.sql`insert into auth.revoked_access_token (jti, expires_at) values (${jti}, now() + interval '1 hour')`;
    await stack.announceChange(app.accountId);
    const refused = [await send(first), await send(first), await send(first)].map(({ status }) => status);
    t.deepEqual(refused, [401, 401, 401]);
    return (await send(second)).headers.get('ratelimit-remaining');
  });
  t.is(remaining, '4');
});

test.serial(
  'a poll over its limit is refused at once, and does not wait for the account’s writes',
  async (t) => {
    const client = await stack.newClient();
    const poll = () => client.with(newAddress()).get('/tasks?updatedSince=2026-01-01T00:00:00Z');
    const statuses = await withOneCounter(stack, async () => {
      const before = [];
      for (let request = 0; request < 6; request += 1) before.push((await poll()).status);
      const held = await holdAccount(t, stack, client);
      const refused = [(await poll()).status, (await poll()).status];
      await held.release();
      return [...before.slice(-1), ...refused];
    });
    t.deepEqual(statuses, [200, 429, 429]);
  },
);
