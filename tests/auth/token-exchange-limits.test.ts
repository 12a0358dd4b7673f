import test from 'ava';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import type { ApiResponse } from '#tests/support/api-client.ts';
import type { Problem } from '#tests/support/api-types.ts';
import { startAuthReplicas } from './auth-replicas.ts';

const path = '/api/public/v1/auth/token';

function limitFields({ headers }: ApiResponse<unknown>) {
  return [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')];
}

function assertRateLimited(
  t: { is(actual: unknown, expected: unknown): void },
  response: ApiResponse<Problem>,
) {
  t.is(response.status, 429);
  t.is(response.body.errorType, 'rate_limit');
  t.is(response.body.errorCode, 'rate_limited');
  t.is(/^[1-9]\d*$/.test(response.headers.get('retry-after') ?? ''), true);
  t.is(response.headers.get('ratelimit-remaining'), '0');
}

test('exchanges count on the personal token’s own limit, on all replicas together', async (t) => {
  const auth = await startAuthReplicas(t, { replicas: 2, config: { requestsPerTokenPerMinute: 3 } });
  const token = await auth.createToken(await auth.createAccount());
  const other = await auth.createToken(await auth.createAccount());
  const [first, second] = auth.replicas;
  const exchange = (client = first.client, subjectToken = token.secret) =>
    client.post<Problem>(path, { subjectToken });

  t.deepEqual(limitFields(await exchange()), ['3', '2']);
  t.deepEqual(limitFields(await exchange(second?.client)), ['3', '1']);
  t.deepEqual(limitFields(await exchange()), ['3', '0']);
  assertRateLimited(t, await exchange(second?.client));
  t.is((await exchange(first.client, other.secret)).status, 200);
});

test('a wider scope counts too, a token that is none does not', async (t) => {
  const auth = await startAuthReplicas(t, { config: { requestsPerTokenPerMinute: 1 } });
  const token = await auth.createToken(await auth.createAccount(), { scopes: ['read'] });
  t.is(
    (await auth.client.post(path, { subjectToken: mintApiToken() })).headers.get('ratelimit-limit'),
    '1000000',
  );
  t.is((await auth.client.post(path, { subjectToken: token.secret, scope: 'write' })).status, 400);
  assertRateLimited(t, await auth.client.post<Problem>(path, { subjectToken: token.secret }));
});

test('every request below the API root counts on its address, before anything else', async (t) => {
  const auth = await startAuthReplicas(t, { config: { requestsPerAddressPerMinute: 3 } });
  t.deepEqual(limitFields(await auth.client.post(path, 'not json')), ['3', '2']);
  t.deepEqual(limitFields(await auth.client.get(path)), ['3', '1']);
  t.deepEqual(limitFields(await auth.client.get('/api/public/v1/auth/nothing')), ['3', '0']);
  const token = await auth.createToken(await auth.createAccount());
  assertRateLimited(t, await auth.client.post<Problem>(path, { subjectToken: token.secret }));
  const elsewhere = auth.client.with({ 'X-Forwarded-For': '192.0.2.7' });
  t.is((await elsewhere.post(path, { subjectToken: token.secret })).status, 200);
});

test('exempt addresses are not limited', async (t) => {
  const config = { requestsPerAddressPerMinute: 1, addressLimitExempt: ['127.0.0.0/8'] };
  const auth = await startAuthReplicas(t, { config });
  const statuses = [await auth.client.get(path), await auth.client.get(path), await auth.client.get(path)];
  t.deepEqual(
    statuses.map(({ status }) => status),
    [405, 405, 405],
  );
});
