import test from 'ava';
import { createRemoteJWKSet, decodeJwt, decodeProtectedHeader, jwtVerify } from 'jose';
import { baseUrl, startAuthReplicas } from './auth-replicas.ts';

const path = '/api/public/v1/auth/token';
const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

const auth = await startAuthReplicas(test);

type Answer = { accessToken: string; expiresIn: number; scope: string };

test('a personal token is exchanged for a short-lived one of the same scope', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const response = await auth.client.post<Answer>(path, { subjectToken: token.secret });
  t.is(response.status, 200);
  t.deepEqual(Object.entries(response.body).slice(1), [
    ['issuedTokenType', accessTokenType],
    ['tokenType', 'Bearer'],
    ['expiresIn', 600],
    ['scope', 'read write'],
  ]);
  t.is(Object.keys(response.body)[0], 'accessToken');
  t.is(response.headers.get('cache-control'), 'no-store');
});

test('the full form of the request is accepted', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const response = await auth.client.post(path, {
    grantType,
    subjectToken: token.secret,
    subjectTokenType: accessTokenType,
    scope: 'write read',
  });
  t.is(response.status, 200);
  t.is(response.body.scope, 'read write');
});

test('the access token verifies against the published keys and says what RFC 9068 asks', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const { body } = await auth.client.post<Answer>(path, { subjectToken: token.secret });
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
});

test('every access token has an id of its own', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const exchange = () => auth.client.post<Answer>(path, { subjectToken: token.secret });
  const answers = await Promise.all([exchange(), exchange(), exchange()]);
  t.is(new Set(answers.map(({ body }) => decodeJwt(body.accessToken).jti)).size, 3);
});

test('a narrower scope is granted, named once however often it is asked for', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const { body } = await auth.client.post<Answer>(path, { subjectToken: token.secret, scope: 'read read' });
  t.is(body.scope, 'read');
  t.is(decodeJwt(body.accessToken).scope, 'read');
});

test('without a scope the token’s own is granted', async (t) => {
  const token = await auth.createToken(await auth.createAccount(), { scopes: ['write'] });
  const { body } = await auth.client.post<Answer>(path, { subjectToken: token.secret });
  t.is(body.scope, 'write');
});

test('a suspended account may exchange', async (t) => {
  const token = await auth.createToken(await auth.createAccount({ status: 'suspended' }));
  t.is((await auth.client.post(path, { subjectToken: token.secret })).status, 200);
});

test('a bearer header is neither needed nor looked at', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const client = auth.client.with({ Authorization: 'Bearer nonsense' });
  t.is((await client.post(path, { subjectToken: token.secret })).status, 200);
});

test('the lifetime is the configured one', async (t) => {
  const { client } = await auth.addReplica({ accessTokenTtlSeconds: 60 });
  const token = await auth.createToken(await auth.createAccount());
  t.is((await client.post(path, { subjectToken: token.secret })).body.expiresIn, 60);
});

test('the access token never outlives the personal token', async (t) => {
  const short = await startAuthReplicas(t);
  short.clock.set('2026-11-21T12:00:00.400Z');
  const expiresAt = new Date('2026-11-21T12:00:10.900Z');
  const token = await short.createToken(await short.createAccount(), { expiresAt });
  const { body } = await short.client.post<Answer>(path, { subjectToken: token.secret });
  t.is(body.expiresIn, 10);
  const { iat = 0, exp = 0 } = decodeJwt(body.accessToken);
  t.is(exp, iat + 10);
  t.true(exp * 1000 <= expiresAt.getTime());
});

test('the key that signed is named in the header and published', async (t) => {
  const token = await auth.createToken(await auth.createAccount());
  const { body } = await auth.client.post<Answer>(path, { subjectToken: token.secret });
  const published = await auth.client.get<{ keys: { kid: string }[] }>('/oauth/jwks');
  t.is(decodeProtectedHeader(body.accessToken).kid, published.body.keys[0]?.kid);
});
