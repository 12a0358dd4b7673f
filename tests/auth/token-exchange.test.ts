import test, { type ExecutionContext } from 'ava';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import type { ApiResponse } from '#tests/support/api-client.ts';
import type { Problem } from '#tests/support/api-types.ts';
import { baseUrl, startAuthReplicas } from './auth-replicas.ts';

const path = '/api/public/v1/auth/token';
const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

const auth = await startAuthReplicas(test);

type Exchanged = { accessToken: string; expiresIn: number; scope: string };

test('a personal token is exchanged for a short-lived one of the same scope', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const { status, headers, body } = await auth.client.post<Exchanged>(path, { subjectToken: token.secret });
  t.is(status, 200);
  const { accessToken, ...rest } = body;
  t.is(typeof accessToken, 'string');
  t.deepEqual(rest, {
    issuedTokenType: accessTokenType,
    tokenType: 'Bearer',
    expiresIn: 600,
    scope: 'read write',
  } as typeof rest);
  t.is(headers.get('cache-control'), 'no-store');
});

test('the access token verifies against the published keys and says what RFC 9068 asks', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const exchange = () => auth.client.post<Exchanged>(path, { subjectToken: token.secret });
  const [{ body }, other] = [await exchange(), await exchange()];
  const keys = createRemoteJWKSet(new URL(`${auth.replicas[0].root}/oauth/jwks`));
  const { payload, protectedHeader } = await jwtVerify(body.accessToken, keys, {
    issuer: baseUrl,
    audience: `${baseUrl}/api/public/v1`,
    typ: 'at+jwt',
    algorithms: ['ES256'],
  });
  t.deepEqual(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ']);
  const { jti, iat = 0, exp, ...claims } = payload;
  t.deepEqual(claims, {
    iss: baseUrl,
    aud: `${baseUrl}/api/public/v1`,
    sub: token.accountId,
    client_id: 'personal-token',
    credential_version: 1,
    grant_id: token.tokenId,
    scope: 'read write',
  });
  t.is(exp, iat + 600);
  t.regex(String(jti), /^[0-9a-f-]{36}$/);
  t.not(jti, decodeJwt(other.body.accessToken).jti);
});

test('the scope is the token’s own, or the narrower one that was asked for', async (t) => {
  const account = await auth.createAccount();
  const [both, write] = [
    await auth.createToken(account),
    await auth.createToken(account, { scopes: ['write'] }),
  ];
  const scopeOf = async (request: object) => {
    const { body } = await auth.client.post<Exchanged>(path, request);
    t.is(decodeJwt(body.accessToken).scope, body.scope);
    return body.scope;
  };
  t.is(await scopeOf({ subjectToken: write.secret }), 'write');
  t.is(await scopeOf({ subjectToken: both.secret, scope: 'read read' }), 'read');
  const full = { grantType, subjectTokenType: accessTokenType, scope: 'write read' };
  t.is(await scopeOf({ ...full, subjectToken: both.secret }), 'read write');
});

test('a suspended account may exchange; a bearer header is neither needed nor looked at', async (t) => {
  const token = await auth.createToken(await auth.createAccount({ status: 'suspended' }));
  const client = auth.client.with({ Authorization: 'Bearer nonsense' });
  t.is((await client.post(path, { subjectToken: token.secret })).status, 200);
});

test('the lifetime is the configured one, and never longer than the personal token’s', async (t) => {
  const { client } = await auth.addReplica({ accessTokenTtlSeconds: 60 });
  const token = await auth.createToken(await auth.createAccount());
  t.is((await client.post(path, { subjectToken: token.secret })).body.expiresIn, 60);

  const short = await startAuthReplicas(t);
  short.clock.set('2026-11-21T12:00:00.400Z');
  const expiresAt = new Date('2026-11-21T12:00:10.900Z');
  const ending = await short.createToken(await short.createAccount(), { expiresAt });
  const { body } = await short.client.post<Exchanged>(path, { subjectToken: ending.secret });
  t.is(body.expiresIn, 10);
  const { iat = 0, exp = 0 } = decodeJwt(body.accessToken);
  t.is(exp, iat + 10);
  t.true(exp * 1000 <= expiresAt.getTime());
});

function limitFields({ headers }: ApiResponse<unknown>) {
  return [headers.get('ratelimit-limit'), headers.get('ratelimit-remaining')];
}

function assertRateLimited(t: ExecutionContext, response: ApiResponse<Problem>): void {
  t.like(response, { status: 429, body: { errorType: 'rate_limit', errorCode: 'rate_limited' } });
  t.regex(response.headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.is(response.headers.get('ratelimit-remaining'), '0');
}

test('exchanges count on the personal token’s own limit, on all replicas together', async (t) => {
  const limited = await startAuthReplicas(t, { replicas: 2, config: { requestsPerTokenPerMinute: 3 } });
  const [first, second] = limited.replicas;
  const token = await limited.createToken(await limited.createAccount(), { scopes: ['read'] });
  const other = await limited.createToken(await limited.createAccount());
  const exchange = (client = first.client, subjectToken = token.secret, scope?: string) =>
    client.post<Problem>(path, { subjectToken, scope });

  const unknown = await exchange(first.client, mintApiToken());
  t.deepEqual(limitFields(unknown), ['1000000', '999999'], 'an unknown token counts for its address alone');
  t.deepEqual(limitFields(await exchange()), ['3', '2']);
  t.deepEqual(
    limitFields(await exchange(second?.client, token.secret, 'write')),
    ['3', '1'],
    'refused with 400',
  );
  t.deepEqual(limitFields(await exchange()), ['3', '0']);
  assertRateLimited(t, await exchange(second?.client));
  t.is((await exchange(first.client, other.secret)).status, 200);
});

test('every request below the API root counts on its address, before anything else, unless it is exempt', async (t) => {
  const config = { requestsPerAddressPerMinute: 3, addressLimitExempt: ['192.0.2.0/24'] };
  const limited = await startAuthReplicas(t, { config });
  t.deepEqual(limitFields(await limited.client.post(path, 'not json')), ['3', '2']);
  t.deepEqual(limitFields(await limited.client.get(path)), ['3', '1']);
  t.deepEqual(limitFields(await limited.client.get('/api/public/v1/auth/nothing')), ['3', '0']);
  const { secret: subjectToken } = await limited.createToken(await limited.createAccount());
  assertRateLimited(t, await limited.client.post<Problem>(path, { subjectToken }));
  for (const address of ['198.51.100.7', '192.0.2.7', '192.0.2.7', '192.0.2.7', '192.0.2.7']) {
    const elsewhere = limited.client.with({ 'X-Forwarded-For': address });
    t.is((await elsewhere.post(path, { subjectToken })).status, 200);
  }
});

test('another method on the exchange is answered 405 with Allow, in the API’s shape', async (t) => {
  for (const method of ['GET', 'PUT', 'PATCH', 'DELETE']) {
    const response = await auth.client.request<Problem>(method, path);
    t.is(response.status, 405, method);
    t.is(response.headers.get('allow'), 'POST');
    t.is(response.body.errorType, 'not_found');
    t.is(response.body.errorCode, 'method_not_allowed');
    t.is(response.headers.get('access-control-allow-origin'), '*');
  }
});

test('paths match exactly: anything else is 404 in the API’s shape', async (t) => {
  const variants = [
    '/api/public/v1/auth/token/',
    '/api/public/v1/auth/Token',
    '/API/public/v1/auth/token',
    '/api/public/v1/auth/%74oken',
    '/api/public/v1/auth//token',
    '/oauth/jwks/',
    '/oauth/JWKS',
    '/livez',
    '/nothing/here',
    '/%ff',
  ];
  for (const variant of variants) {
    const response = await auth.client.get<Problem>(variant);
    t.is(response.status, 404, variant);
    t.is(response.body.errorCode, 'not_found');
    t.is(response.headers.get('x-request-id'), response.body.requestId);
  }
});

test('a preflight from any origin is answered, without credentials', async (t) => {
  for (const target of [path, '/oauth/jwks']) {
    const headers = { Origin: 'https://page.example', 'Access-Control-Request-Method': 'POST' };
    const response = await auth.client.request('OPTIONS', target, { headers });
    t.is(response.status, 204);
    t.is(response.headers.get('access-control-allow-origin'), '*');
    t.is(response.headers.get('access-control-allow-credentials'), null);
  }
});

test('answers outside the API and the key set are not shared across origins; errors are not cached', async (t) => {
  const { headers: elsewhere } = await auth.client.get('/nothing');
  t.is(elsewhere.get('access-control-allow-origin'), null);
  const { headers } = await auth.client.post(path, {});
  t.is(headers.get('cache-control'), 'no-store');
  t.is(headers.get('etag'), null);
  t.is(headers.get('x-powered-by'), null);
  t.is(headers.get('x-content-type-options'), 'nosniff');
});

test('the key set holds public parts only, may be cached by anyone, and takes GET and HEAD alone', async (t) => {
  const { status, headers, body } = await auth.client.get<{ keys: Record<string, string>[] }>('/oauth/jwks');
  t.is(status, 200);
  t.is(headers.get('access-control-allow-origin'), '*');
  t.regex(headers.get('cache-control') ?? '', /^public, max-age=[1-9]\d*$/);
  t.is(body.keys.length, 2);
  for (const key of body.keys) {
    t.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    t.like(key, { alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
  }

  const head = await auth.client.request<unknown>('HEAD', '/oauth/jwks');
  t.is(head.status, 200);
  t.is(head.body, undefined);
  const post = await auth.client.post('/oauth/jwks', {});
  t.is(post.status, 405);
  t.is(post.headers.get('allow'), 'GET, HEAD');
});

test('each request leaves one line in the log, without query, secrets or addresses', async (t) => {
  const own = await startAuthReplicas(t);
  const account = await own.createAccount({ email: 'ada@secret.example' });
  const token = await own.createToken(account);
  const response = await own.client.post(`${path}?access=query-word`, { subjectToken: token.secret });
  const lines = own.log.filter(({ msg }) => msg === 'request');
  t.is(lines.length, 1);
  t.is(typeof lines[0]?.milliseconds, 'number');
  t.like(lines[0], { method: 'POST', path, status: 200, requestId: response.headers.get('x-request-id') });
  const log = JSON.stringify(own.log);
  for (const secret of ['query-word', token.secret, 'secret.example', String(response.body.accessToken)]) {
    t.false(log.includes(secret));
  }
});
