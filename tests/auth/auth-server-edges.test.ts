import test from 'ava';
import type { Problem } from '#tests/support/api-types.ts';
import { startAuthReplicas } from './auth-replicas.ts';

const path = '/api/public/v1/auth/token';
const auth = await startAuthReplicas(test);

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
