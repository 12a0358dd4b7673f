import { randomUUID } from 'node:crypto';
import test from 'ava';
import type { ApiClient, ApiResponse } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';
import { holdAccount } from '../idempotency/hold-account.ts';
import { answerOf, rateLimited } from '../matrix/problem-answer.ts';
import { createTokenIssuer } from '../oauth-tokens/token-issuer.ts';
import { withOneCounter } from './one-counter.ts';

/** Less than the service’s own numbers: what holds for few requests holds for many. */
const perToken = 20;

const perAddress = 60;

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, {
  withAuthServer: true,
  requestsPerTokenPerMinute: perToken,
  requestsPerAddressPerMinute: perAddress,
  // Behind the gateway each test names the address that it comes from.
  environment: { TRUSTED_PROXY_HOPS: '1' },
});
const issuer = await createTokenIssuer(stack);

test.after.always(() => stack.close());

const shownLimits = ({ headers }: ApiResponse<unknown>) => ({
  limit: Number(headers.get('ratelimit-limit')),
  remaining: Number(headers.get('ratelimit-remaining')),
});

let addresses = 0;

function newAddress(): string {
  addresses += 1;
  return `198.18.1.${addresses}`;
}

const from = (client: ApiClient, address: string) => client.with({ 'X-Forwarded-For': address });

/** The statuses of this many requests, a few at a time. */
async function statusesOf(count: number, request: () => Promise<ApiResponse<unknown>>): Promise<number[]> {
  const statuses: number[] = [];
  while (statuses.length < count) {
    const batch = Array.from({ length: Math.min(10, count - statuses.length) }, request);
    for (const { status } of await Promise.all(batch)) statuses.push(status);
  }
  return statuses;
}

const countOf = (statuses: readonly number[], wanted: number) =>
  statuses.filter((status) => status === wanted).length;

test.serial('a token has so many requests a minute; the 429 has Retry-After', async (t) => {
  const { first, statuses, refusal } = await withOneCounter(stack, async () => {
    const client = from(await stack.newClient(), newAddress());
    return {
      first: await client.get('/me'),
      statuses: await statusesOf(perToken + 5, () => client.get('/me')),
      refusal: await client.get('/me'),
    };
  });
  t.deepEqual(shownLimits(first), { limit: perToken, remaining: perToken - 1 });
  t.deepEqual([countOf(statuses, 200), countOf(statuses, 429)], [perToken - 1, 6]);
  t.deepEqual(answerOf(refusal), rateLimited);
  t.deepEqual(shownLimits(refusal), { limit: perToken, remaining: 0 });
  const seconds = Number(refusal.headers.get('retry-after'));
  t.true(Number.isInteger(seconds) && seconds >= 1 && seconds <= 60);
  t.is(refusal.headers.get('ratelimit-reset'), refusal.headers.get('retry-after'));
});

test.serial('every response to a token, an error too, counts and shows the remaining requests', async (t) => {
  const requests: [status: number, send: (client: ApiClient) => Promise<ApiResponse<unknown>>][] = [
    [200, (client) => client.get('/me')],
    [201, (client) => client.post('/tasks', { title: 'x' })],
    [400, (client) => client.post('/tasks', {})],
    [400, (client) => client.get('/tasks?view=nope')],
    [404, (client) => client.get('/tasks/x')],
    [403, (client) => client.post('/tasks', { title: 'x', deadlineDate: '2026-12-01' })],
    [415, (client) => client.post('/tasks', 'x', { headers: { 'Content-Type': 'text/plain' } })],
    [413, (client) => client.post('/tasks', ' '.repeat(2 * 1024 * 1024 + 1))],
    [200, (client) => client.request<unknown>('HEAD', '/me')],
  ];
  const shown = await withOneCounter(stack, async () => {
    const client = from(await stack.newClient(), newAddress());
    const answers: { status: number; limit: number; remaining: number; reset: number }[] = [];
    for (const [, send] of requests) {
      const answer = await send(client);
      const reset = Number(answer.headers.get('ratelimit-reset'));
      answers.push({ status: answer.status, ...shownLimits(answer), reset });
    }
    return answers;
  });
  t.deepEqual(
    shown.map(({ reset, ...rest }) => rest),
    requests.map(([status], index) => ({ status, limit: perToken, remaining: perToken - 1 - index })),
  );
  for (const { reset } of shown) t.true(Number.isInteger(reset) && reset >= 1 && reset <= 60);
});

test.serial('without a valid token the address limit counts and is shown', async (t) => {
  const requests: [status: number, send: (client: ApiClient) => Promise<ApiResponse<unknown>>][] = [
    [401, (client) => client.get('/me')],
    [401, (client) => client.with({ Authorization: 'Bearer x' }).get('/me')],
    [404, (client) => client.get('/nothing')],
    [405, (client) => client.request('PUT', '/tasks')],
  ];
  const shown = await withOneCounter(stack, async () => {
    const client = from(stack.anonymous, newAddress());
    const answers: object[] = [];
    for (const [, send] of requests) {
      const answer = await send(client);
      answers.push({ status: answer.status, ...shownLimits(answer) });
    }
    return answers;
  });
  t.deepEqual(
    shown,
    requests.map(([status], index) => ({ status, limit: perAddress, remaining: perAddress - 1 - index })),
  );
});

test.serial('an address may send so many requests a minute, whatever tokens they carry', async (t) => {
  const outcome = await withOneCounter(stack, async () => {
    const address = newAddress();
    const stranger = from(stack.anonymous, address);
    const used = await statusesOf(perAddress, () => stranger.get('/me'));
    const api = await stack.newClient();
    return {
      accepted: countOf(used, 401),
      withoutToken: await stranger.get('/me'),
      withToken: await from(api, address).get('/me'),
      fromElsewhere: await from(api, newAddress()).get('/me'),
    };
  });
  t.is(outcome.accepted, perAddress);
  t.deepEqual(answerOf(outcome.withoutToken), rateLimited);
  t.deepEqual(answerOf(outcome.withToken), rateLimited);
  t.deepEqual(shownLimits(outcome.withToken), { limit: perAddress, remaining: 0 });
  t.is(outcome.fromElsewhere.status, 200);
  t.is(shownLimits(outcome.fromElsewhere).remaining, perToken - 1);
});

test.serial('access tokens count on the limit of the personal token they were exchanged for', async (t) => {
  const exchange = async (subjectToken: string) =>
    (await stack.anonymous.post<{ accessToken: string }>('/auth/token', { subjectToken })).body.accessToken;
  const outcome = await withOneCounter(stack, async () => {
    const { account, token } = await stack.newClient();
    const clients = [token.secret, await exchange(token.secret), await exchange(token.secret)].map((secret) =>
      from(stack.client(secret), newAddress()),
    );
    let turn = 0;
    const next = () => clients[turn++ % clients.length] ?? stack.anonymous;
    const used = await statusesOf(perToken, () => next().get('/me'));
    const other = stack.client(await stack.createToken(account));
    return {
      accepted: countOf(used, 200),
      refused: await Promise.all(clients.map(async (client) => (await client.get('/me')).status)),
      exchanged: (await stack.anonymous.post('/auth/token', { subjectToken: token.secret })).status,
      other: (await other.get('/me')).status,
    };
  });
  // The two exchanges were requests of the same token.
  t.deepEqual(outcome, { accepted: perToken - 2, refused: [429, 429, 429], exchanged: 429, other: 200 });
});

test.serial('all access tokens of an app share one limit: refreshing opens no new window', async (t) => {
  const outcome = await withOneCounter(stack, async () => {
    const account = await stack.createAccount();
    const app = await issuer.connectApp(account);
    const issue = async (connection = app) =>
      from(stack.client(await issuer.issue(connection)), newAddress());
    const clients = [await issue(), await issue()];
    let turn = 0;
    const used = await statusesOf(perToken, () => (clients[turn++ % 2] ?? stack.anonymous).get('/me'));
    const refused = [...clients, await issue()].map(async (client) => answerOf(await client.get('/me')));
    const sameClient = await issuer.connectApp(account, { clientId: app.clientId });
    return {
      accepted: countOf(used, 200),
      refused: await Promise.all(refused),
      otherConnection: (await (await issue(sameClient)).get('/me')).status,
      personal: (await stack.client(await stack.createToken(account)).get('/me')).status,
    };
  });
  t.deepEqual(outcome, {
    accepted: perToken,
    refused: [rateLimited, rateLimited, rateLimited],
    otherConnection: 200,
    personal: 200,
  });
});

test.serial('a revoked access token does not use up its app’s limit', async (t) => {
  const { refused, after } = await withOneCounter(stack, async () => {
    const app = await issuer.connectApp(await stack.createAccount());
    const jti = randomUUID();
    const [first, second] = [await issuer.issue(app, { claims: { jti } }), await issuer.issue(app)];
    const send = (token: string) => from(stack.client(token), newAddress()).get('/me');
    await send(first);
    await stack.sql`insert into auth.revoked_access_token (jti, expires_at)
      values (${jti}, now() + interval '1 hour')`;
    await stack.announceChange(app.accountId);
    return { refused: await statusesOf(3, () => send(first)), after: await send(second) };
  });
  t.deepEqual(refused, [401, 401, 401]);
  t.is(shownLimits(after).remaining, perToken - 2);
});

test.serial('a poll over its limit is refused at once, and does not wait for writes', async (t) => {
  const client = await stack.newClient();
  const poll = () => from(client, newAddress()).get('/tasks?updatedSince=2026-01-01T00:00:00Z');
  const statuses = await withOneCounter(stack, async () => {
    const before = await statusesOf(perToken, poll);
    const held = await holdAccount(t, stack, client);
    const refused = [(await poll()).status, (await poll()).status];
    await held.release();
    return [...before.slice(-1), ...refused];
  });
  t.deepEqual(statuses, [200, 429, 429]);
});

test.serial('a client cannot choose its address, by any header', async (t) => {
  const claims = ['X-Real-IP', 'Forwarded', 'X-Client-IP', 'CF-Connecting-IP', 'True-Client-IP', 'Via'];
  const remaining = await withOneCounter(stack, async () => {
    const address = newAddress();
    const answers = [await from(stack.anonymous, address).get('/me')];
    for (const name of claims)
      answers.push(
        await from(stack.anonymous, address)
          .with({ [name]: '203.0.113.1' })
          .get('/me'),
      );
    answers.push(await from(stack.anonymous, `203.0.113.1, ${address}`).get('/me'));
    return answers.map((answer) => shownLimits(answer).remaining);
  });
  t.deepEqual(
    remaining,
    remaining.map((_, index) => perAddress - 1 - index),
  );
});
