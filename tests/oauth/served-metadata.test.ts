import test from 'ava';
import type { ApiResponse } from '#tests/support/api-client.ts';
import { startStack } from '#tests/support/stack.ts';

const stack = await startStack(undefined, { withAuthServer: true });
const { body: metadata } = await stack.site.get<Record<string, string>>(
  '/.well-known/oauth-authorization-server',
);
test.after.always(() => stack.close());
const { baseUrl, site } = stack;

const pathOf = (name: string) => (metadata[name] ?? '').slice(baseUrl.length);
const form = new URLSearchParams({ token: 'x' });

test('every endpoint that metadata lists answers as what it is (RFC 8414 §2, RFC 9700 §2.6)', async (t) => {
  const endpoints = Object.keys(metadata).filter((name) => /_endpoint$|_uri$/.test(name));
  t.deepEqual(endpoints.sort(), [
    'authorization_endpoint',
    'jwks_uri',
    'registration_endpoint',
    'revocation_endpoint',
    'token_endpoint',
  ]);
  t.true(endpoints.every((name) => metadata[name]?.startsWith(`${baseUrl}/`)));
  const answers: Record<string, ApiResponse<unknown>> = {
    authorization_endpoint: await site.get(pathOf('authorization_endpoint')),
    jwks_uri: await site.get(pathOf('jwks_uri')),
    registration_endpoint: await site.post(pathOf('registration_endpoint'), {
      redirect_uris: ['https://app.example.com/callback'],
    }),
    revocation_endpoint: await site.post(pathOf('revocation_endpoint'), form),
    token_endpoint: await site.post(pathOf('token_endpoint'), form),
  };
  const statuses = Object.entries(answers).map(([name, { status }]) => [name, status]);
  t.deepEqual(Object.fromEntries(statuses), {
    authorization_endpoint: 400,
    jwks_uri: 200,
    registration_endpoint: 201,
    revocation_endpoint: 400,
    token_endpoint: 400,
  });
});

test('the published keys are public, and fit for ES256 alone (RFC 7517 §4, RFC 8414 §2)', async (t) => {
  const { body } = await site.get<{ keys: Record<string, string>[] }>(pathOf('jwks_uri'));
  t.true(body.keys.length >= 1);
  for (const key of body.keys) {
    t.deepEqual(Object.keys(key).sort(), ['alg', 'crv', 'kid', 'kty', 'use', 'x', 'y']);
    t.like(key, { alg: 'ES256', crv: 'P-256', kty: 'EC', use: 'sig' });
  }
  t.is(new Set(body.keys.map(({ kid }) => kid)).size, body.keys.length);
});

/** Where the package would serve what is off, by its own routes and by those usual elsewhere. */
const absent = {
  'pushed requests (RFC 9126)': ['/oauth/par', '/oauth/request', '/request', '/par'],
  'user information': ['/oauth/userinfo', '/oauth/me', '/me', '/userinfo'],
  'introspection (RFC 7662)': [
    '/oauth/introspect',
    '/oauth/introspection',
    '/oauth/token/introspection',
    '/token/introspection',
  ],
  'device codes (RFC 8628)': [
    '/oauth/device',
    '/oauth/device/auth',
    '/device',
    '/device/auth',
    '/oauth/device_authorization',
  ],
  'log-out for clients': [
    '/oauth/session/end',
    '/session/end',
    '/session/end/confirm',
    '/session/end/success',
    '/oauth/logout',
  ],
  'back-channel requests': ['/oauth/backchannel', '/backchannel', '/oauth/bc-authorize'],
  'challenges and nonces': ['/oauth/challenge', '/challenge', '/oauth/nonce'],
  'management of registrations (RFC 7592)': ['/oauth/register/app_x', '/reg', '/reg/app_x'],
  'OpenID discovery': [
    '/.well-known/openid-configuration',
    '/.well-known/webfinger',
    '/.well-known/jwks.json',
  ],
  'the package’s own paths': [
    '/auth',
    '/auth/x',
    '/token',
    '/jwks',
    '/interaction/x',
    '/token/revocation',
    '/oauth/auth',
  ],
  'another spelling of what is served': [
    '/oauth/authorize/',
    '/oauth/token/',
    '/oauth/register/',
    '/oauth/revoke/',
    '/oauth/jwks/',
    '/OAuth/token',
    '/oauth/Token',
    '/oauth//token',
    '/oauth/%74oken',
    '/oauth/./token',
    '/oauth/token%00',
    '/oauth/token;x',
    '/oauth',
    '/oauth/',
    '/oauth/interaction',
    '/oauth/interaction/',
  ],
};

for (const [what, paths] of Object.entries(absent)) {
  test(`nothing is served that is not listed: ${what} (RFC 9700 §2.6)`, async (t) => {
    for (const path of paths) {
      for (const method of ['GET', 'POST']) {
        const head = `Host: ${new URL(baseUrl).host}\r\nConnection: close\r\nContent-Length: 0\r\nAccept: text/html`;
        const answer = await site.raw(`${method} ${path} HTTP/1.1\r\n${head}\r\n\r\n`);
        t.is(answer.status, 404, `${method} ${path}`);
        t.regex(answer.headers.get('content-type') ?? '', /^application\/json/, path);
        t.is(JSON.parse(answer.body).errorCode, 'not_found', path);
      }
    }
  });
}

test('each protected resource is described at the address made from its own, and leads to this server (RFC 9728 §3.3)', async (t) => {
  const root = '/.well-known/oauth-protected-resource';
  for (const path of ['', '/api/public/v1', '/mcp']) {
    const { status, body } = await site.get(`${root}${path}`);
    t.is(status, 200);
    t.is(body.resource, `${baseUrl}${path}`);
    t.deepEqual(body.authorization_servers, [metadata.issuer]);
  }
  for (const path of ['/api', '/mcp/', '/api/public/v1/me', '/other']) {
    const { status, body } = await site.get(`${root}${path}`);
    t.deepEqual([status, body.errorCode], [404, 'not_found']);
  }
});
