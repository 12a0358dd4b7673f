import test from 'ava';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
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
