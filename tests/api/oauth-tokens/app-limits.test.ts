import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { withOneCounter } from '../http/one-counter.ts';
import { answerOf, rateLimited } from '../matrix/problem-answer.ts';
import { createTokenIssuer } from './token-issuer.ts';

/** The specification's own number (§8). */
const perToken = 120;
// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined, { requestsPerTokenPerMinute: perToken });
const issuer = await createTokenIssuer(stack);
test.after.always(() => stack.close());

test('all access tokens of a connected app share 120 requests a minute, so refreshing opens no new window', async (t) => {
  const outcome = await withOneCounter(stack, async () => {
    const account = await stack.createAccount();
    const app = await issuer.connectApp(account);
    const clients = [stack.client(await issuer.issue(app)), stack.client(await issuer.issue(app))];
    const statuses: number[] = [];
    for (let pair = 0; pair < perToken / 2; pair += 1)
      for (const client of clients) statuses.push((await client.get('/me')).status);
    const refreshed = stack.client(await issuer.issue(app));
    const sameClient = await issuer.connectApp(account, { clientId: app.clientId });
    return {
      accepted: statuses.filter((status) => status === 200).length,
      refused: await Promise.all(
        [...clients, refreshed].map(async (client) => answerOf(await client.get('/me'))),
      ),
      otherConnection: (await stack.client(await issuer.issue(sameClient)).get('/me')).status,
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
