import test from 'ava';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import {
  addOwner,
  authorizationRequest,
  connectApp,
  decide,
  openConsentPage,
  refreshRequest,
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

test('no other refusal sends a client for a new token (RFC 6750 §3)', async (t) => {
  const client = stack.client(app.tokens.access_token);
  const answers = [
    await client.get('/nothing'),
    await client.get('/tasks/00000000-0000-4000-8000-000000000000'),
    await client.post('/tasks', { title: '' }),
    await client.post('/tasks', { title: 'x', deadlineDate: '2026-11-16' }),
  ];
  t.deepEqual(
    answers.map(({ status }) => status),
    [404, 404, 400, 403],
  );
  for (const { headers } of answers) t.is(headers.get('www-authenticate'), null);
});
