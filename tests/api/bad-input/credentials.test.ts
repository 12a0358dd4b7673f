import test from 'ava';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { AccountClient } from '#tests/support/stack.ts';
import { words } from '#tests/support/words.ts';
import { authorization, parsed, plainHeaders, requestBytes } from '../http/raw-exchange.ts';
import { type Answer, answerOf, authenticationAnswers } from '../matrix/problem-answer.ts';
import { answersOf, eachWith, makeIds, operations, send } from '../matrix/request-fixtures.ts';
import { storedStateOf } from '../matrix/stored-state.ts';
import { canary, startGuardedStack } from './guarded-stack.ts';

const stack = await startGuardedStack(test);

const { missing, refused } = authenticationAnswers(stack.baseUrl);

/** Sent from a socket: an HTTP client would tidy the headers up. */
async function answerWith(...lines: (readonly [string, string])[]): Promise<Answer> {
  const bytes = requestBytes('GET', `${apiRootPath}/me`, [...plainHeaders, ...lines]);
  return answerOf(parsed(await stack.anonymous.raw(bytes)));
}

test.serial('the scheme is Bearer in any case', async (t) => {
  const { token } = await stack.newClient();
  for (const scheme of ['Bearer', 'bearer', 'BEARER', 'bEaReR']) {
    t.deepEqual(await answerWith(['Authorization', `${scheme} ${token.secret}`]), { status: 200 }, scheme);
    t.deepEqual(await answerWith(['authorization', `${scheme} ${token.secret}`]), { status: 200 }, scheme);
  }
});

test.serial('anything but one scheme, one blank and one token is refused', async (t) => {
  const { token } = await stack.newClient();
  for (const value of [
    `Bearer  ${token.secret}`,
    `Bearer\t${token.secret}`,
    `Bearer "${token.secret}"`,
    `Bearer <${token.secret}>`,
    `Bearer token=${token.secret}`,
    `Bearer=${token.secret}`,
    `Bearer ${token.secret},`,
    `Bearer ${token.secret} realm="x"`,
    `Basic x, Bearer ${token.secret}`,
    `Bearer ${token.secret.toUpperCase()}`,
    `Bearer ${token.secret.slice(4)}`,
    `Bearer %74ms${token.secret.slice(3)}`,
    `Bearer ${token.secret}\u00a0`,
    `Token ${token.secret}`,
    `Bearer`,
    `Bearer `,
    ``,
    `Bearer null`,
    `Bearer ${'a'.repeat(10_000)}`,
    `Bearer ${'a.'.repeat(2)}a`,
    `Bearer ${canary}.${canary}.${canary}`,
  ]) {
    t.deepEqual(await answerWith(['Authorization', value]), refused, JSON.stringify(value));
  }
});

test.serial('two Authorization headers are refused, whatever they hold', async (t) => {
  const client = await stack.newClient();
  const good = authorization(client);
  const other = authorization(await stack.newClient());
  for (const lines of [
    [good, good],
    [good, other],
    [good, ['Authorization', 'Basic eDp5']],
    [['Authorization', 'Basic eDp5'], good],
    [good, ['Authorization', '']],
    [['authorization', ''], good],
    [['AUTHORIZATION', good[1]], good],
  ] as const) {
    t.deepEqual(await answerWith(...lines), refused, JSON.stringify(lines.map(([name]) => name)));
  }
});

test.serial('a token in another header is ignored', async (t) => {
  const { token } = await stack.newClient();
  for (const [name, value] of [
    ['Proxy-Authorization', `Bearer ${token.secret}`],
    ['X-Api-Key', token.secret],
    ['X-Authorization', `Bearer ${token.secret}`],
    ['Cookie', `token=${token.secret}; access_token=${token.secret}`],
    ['X-Forwarded-Authorization', `Bearer ${token.secret}`],
  ] as const) {
    t.deepEqual(await answerWith([name, value]), missing, name);
  }
});

test.serial('a token in the query is refused by every operation, even with a valid header', async (t) => {
  const api = await stack.newClient({ plan: 'premium' });
  const ids = await makeIds(api);
  const before = await storedStateOf(stack, api.account);
  t.deepEqual(
    await answersOf(operations, async (operation) =>
      answerOf(await send(api, operation, ids, { query: `?access_token=${api.token.secret}` })),
    ),
    eachWith(operations, refused),
  );
  for (const name of ['access_token', 'token', 'api_key'])
    for (const query of [`?${name}=${api.token.secret}`, `?limit=1&${name}=`, `?${name}`])
      for (const client of [stack.anonymous, api])
        t.deepEqual(answerOf(await client.get(`/me${query}`)), refused, query);
  t.deepEqual(await storedStateOf(stack, api.account), before);
});

test.serial('a token in the query is seen in every spelling of the query', async (t) => {
  const api = await stack.newClient();
  const { secret } = api.token;
  for (const query of [
    `?access%5Ftoken=${secret}`,
    `?%61ccess_token=${secret}`,
    `?x=1&token=${secret}&token=2`,
    `?&&token=${secret}`,
    `?token=%00`,
    `?x=%&api_key=${secret}`,
  ]) {
    t.deepEqual(answerOf(await api.get(`/me${query}`)), refused, query);
  }
  for (const query of words('?tokens=1 ?Token=1 ?my_token=1 ?x=token ?access_token_type=1 ?x=1;token=2'))
    t.is((await api.get(`/me${query}`)).status, 200, query);
});

test.serial('the response to a refused token has the reason, and nothing of the token', async (t) => {
  const { account, token }: AccountClient = await stack.newClient();
  const revoked = await stack.createToken(account);
  await stack.revokeToken(revoked);
  for (const secret of [revoked.secret, `${token.secret}x`, token.secret.replace(/.$/, '!')]) {
    const { status, headers, body } = await stack.client(secret).get('/me');
    t.is(status, 401);
    const shown = JSON.stringify([...headers, body]);
    t.false(shown.includes(secret.slice(4, 20)));
  }
});
