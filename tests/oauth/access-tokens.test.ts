import { createPublicKey, createSecretKey, generateKeyPairSync } from 'node:crypto';
import test from 'ava';
import {
  createRemoteJWKSet,
  decodeJwt,
  decodeProtectedHeader,
  exportJWK,
  type JWTHeaderParameters,
  jwtVerify,
  SignJWT,
} from 'jose';
import {
  addOwner,
  authorizationRequest,
  connectApp,
  decide,
  openConsentPage,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const app = await connectApp(world);
test.after.always(() => world.stack.close());
const { endpoints, stack, owner } = world;
const { access_token: accessToken, refresh_token: refreshToken } = app.tokens;

test('an access token is a JWT for our API alone, and says no more than it must (RFC 9068 §2, RFC 9700 §2.3)', async (t) => {
  const jwks = createRemoteJWKSet(new URL(`${stack.baseUrl}/oauth/jwks`));
  const { payload, protectedHeader } = await jwtVerify(accessToken, jwks);
  t.deepEqual({ ...protectedHeader, kid: '' }, { alg: 'ES256', typ: 'at+jwt', kid: '' });
  const { jti, iat = 0, exp, ...claims } = payload;
  t.deepEqual(claims, {
    iss: stack.baseUrl,
    aud: stack.apiRoot,
    sub: owner.accountId,
    client_id: app.clientId,
    grant_id: app.grantId,
    scope: 'read write',
  });
  t.regex(String(jti), /^[\w-]{20,}$/);
  t.is(exp, iat + 600);
  t.is(app.tokens.expires_in, 600);
});

test.serial(
  'an access token works for its 10 minutes and the tolerance of clocks, and no longer (RFC 9068 §4)',
  async (t) => {
    const later = await startOAuthWorld(t, { now: new Date() });
    const { tokens } = await connectApp(later);
    const end = Number(decodeJwt(tokens.access_token).exp) * 1_000;
    later.stack.clock.set(new Date(end + 4_000));
    t.is(await later.endpoints.me(tokens.access_token), 200);
    later.stack.clock.set(new Date(end + 5_000));
    t.is(await later.endpoints.me(tokens.access_token), 401);
  },
);

const { publicKey, privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });

async function forge(
  header: Record<string, unknown>,
  key: Parameters<SignJWT['sign']>[0] = privateKey,
  claims: Record<string, unknown> = {},
): Promise<string> {
  const original = decodeProtectedHeader(accessToken);
  return new SignJWT({ ...decodeJwt(accessToken), ...claims })
    .setProtectedHeader({ ...original, ...header } as JWTHeaderParameters)
    .sign(key);
}

test('a token that brings its own key, or says where to find one, is refused (RFC 8725 §3.10)', async (t) => {
  const jwk = await exportJWK(publicKey);
  const url = 'https://evil.example/jwks';
  for (const header of [
    {},
    { jwk },
    { jku: url },
    { x5u: url },
    { jwk, kid: undefined },
    { kid: '../../dev/null' },
  ]) {
    t.is(await endpoints.me(await forge(header)), 401, JSON.stringify(header));
  }
});

test('the published key is no shared secret, in whatever form it is taken for one (RFC 8725 §2.1)', async (t) => {
  const { body } = await stack.site.get<{ keys: Record<string, string>[] }>('/oauth/jwks');
  const jwk = body.keys[0] ?? {};
  const key = createPublicKey({ key: jwk, format: 'jwk' });
  const secrets = [
    key.export({ type: 'spki', format: 'pem' }),
    key.export({ type: 'spki', format: 'pem' }).toString().trim(),
    key.export({ type: 'spki', format: 'der' }),
    JSON.stringify(jwk),
    Buffer.from(String(jwk.x), 'base64url'),
  ];
  for (const secret of secrets) {
    const token = await forge({ alg: 'HS256' }, createSecretKey(Buffer.from(secret)));
    t.is(await endpoints.me(token), 401);
  }
});

test('a token without a signature, or with a changed one, is refused (RFC 8725 §3.1)', async (t) => {
  const [header = '', payload = '', signature = ''] = accessToken.split('.');
  const unsigned = Buffer.from(JSON.stringify({ alg: 'none', typ: 'at+jwt' })).toString('base64url');
  const wider = Buffer.from(JSON.stringify({ ...decodeJwt(accessToken), sub: 'other' })).toString(
    'base64url',
  );
  const zeros = Buffer.alloc(64).toString('base64url');
  const tokens = [
    `${unsigned}.${payload}.`,
    `${unsigned}.${payload}.${signature}`,
    `${header}.${payload}.`,
    `${header}.${wider}.${signature}`,
    `${header}.${payload}.${zeros}`,
    `${header}.${payload}`,
    `${header}.${payload}.${signature}.`,
    `${accessToken}=`,
    accessToken.toLowerCase(),
  ];
  for (const token of tokens) t.is(await endpoints.me(token), 401, token);
  t.is(await endpoints.me(accessToken), 200);
});

for (const [granted, works, fails] of [
  ['read', 'GET', 'POST'],
  ['write', 'POST', 'GET'],
] as const) {
  test(`a token for ${granted} alone is for that alone, whatever was asked for (RFC 9700 §2.3)`, async (t) => {
    const { tokens } = await connectApp(world, { clientId: app.clientId, scopes: [granted] });
    t.deepEqual([tokens.scope, decodeJwt(tokens.access_token).scope], [granted, granted]);
    const client = stack.client(tokens.access_token);
    const request = (method: string) =>
      client.request(method, '/tasks', { body: method === 'POST' ? { title: 'x' } : undefined });
    t.true((await request(works)).status < 300);
    const refused = await request(fails);
    t.is(refused.status, 403);
    const missing = granted === 'read' ? 'write' : 'read';
    t.regex(
      refused.headers.get('www-authenticate') ?? '',
      new RegExp(`error="insufficient_scope", scope="${missing}"`),
    );
  });
}

test('a token is taken from the Authorization header and from nowhere else (RFC 6750 §2, RFC 9700 §4.3.2)', async (t) => {
  for (const name of ['access_token', 'token', 'api_key']) {
    const query = new URLSearchParams({ [name]: accessToken });
    t.is((await stack.anonymous.get(`/me?${query}`)).status, 401, name);
    t.is((await stack.client(accessToken).get(`/me?${query}`)).status, 401, `${name} beside the header`);
  }
  const form = new URLSearchParams({ access_token: accessToken, title: 'x' });
  t.is((await stack.anonymous.post('/tasks', form)).status, 401);
  t.is((await stack.anonymous.with({ Cookie: `access_token=${accessToken}` }).get('/me')).status, 401);
  const basic = Buffer.from(`${app.clientId}:${accessToken}`).toString('base64');
  t.is((await stack.anonymous.with({ Authorization: `Basic ${basic}` }).get('/me')).status, 401);
});

test('no token ever stands in an address (RFC 9700 §4.3.2)', async (t) => {
  const browser = (await addOwner(stack)).browser;
  const { parameters } = authorizationRequest(app.clientId);
  const page = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
  const target = await decide(browser, page);
  for (const text of [page.markup, page.path, target.href]) {
    t.notRegex(text, /eyJ|access_token|refresh_token|id_token/);
  }
});

test('what is no access token is none: refresh tokens and exchanged uses of access tokens are refused', async (t) => {
  t.is(await endpoints.me(refreshToken), 401);
  const refresh = await endpoints.token({ ...refreshRequest(app), refresh_token: accessToken });
  t.like(refresh, { status: 400, body: { error: 'invalid_grant' } });
  const exchange = await stack.anonymous.post('/auth/token', { subjectToken: accessToken });
  t.like(exchange, { status: 400, body: { errorCode: 'invalid_grant' } });
});

test('no client can take an account’s id for its own (RFC 9700 §4.15)', async (t) => {
  const { body } = await endpoints.register({
    client_id: owner.accountId,
    sub: owner.accountId,
    client_name: owner.accountId,
    software_id: owner.accountId,
    redirect_uris: ['https://app.example.com/callback'],
  });
  t.regex(String(body.client_id), /^app_[\w-]{22}$/);
  t.regex(String(decodeJwt(accessToken).sub), /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  const ids = await Promise.all(Array.from({ length: 5 }, () => registerClient(world)));
  t.is(new Set(ids).size, 5);
});
