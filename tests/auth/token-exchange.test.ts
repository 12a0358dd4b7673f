import test from 'ava';
import { createRemoteJWKSet, decodeJwt, jwtVerify } from 'jose';
import { mintApiToken } from '#shared/tokens/api-token.ts';
import type { Identity, Problem } from '#tests/support/api-types.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';

const path = '/auth/token';
const grantType = 'urn:ietf:params:oauth:grant-type:token-exchange';
const accessTokenType = 'urn:ietf:params:oauth:token-type:access_token';

const stack = await startStack(test, { withAuthServer: true });

type Exchanged = { accessToken: string; expiresIn: number; scope: string };

test('a personal token is exchanged for a short-lived one of the same scope', async (t) => {
  const token = await stack.createToken(await stack.createAccount());
  const { status, headers, body } = await stack.anonymous.post<Exchanged>(path, {
    subjectToken: token.secret,
  });
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
  const token = await stack.createToken(await stack.createAccount());
  const exchange = () => stack.anonymous.post<Exchanged>(path, { subjectToken: token.secret });
  const [{ body }, other] = [await exchange(), await exchange()];
  const keys = createRemoteJWKSet(new URL(`${stack.baseUrl}/oauth/jwks`));
  const { payload, protectedHeader } = await jwtVerify(body.accessToken, keys, {
    issuer: stack.baseUrl,
    audience: `${stack.baseUrl}/api/public/v1`,
    typ: 'at+jwt',
    algorithms: ['ES256'],
  });
  t.deepEqual(Object.keys(protectedHeader).sort(), ['alg', 'kid', 'typ']);
  const { jti, iat = 0, exp, ...claims } = payload;
  t.deepEqual(claims, {
    iss: stack.baseUrl,
    aud: `${stack.baseUrl}/api/public/v1`,
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
  const account = await stack.createAccount();
  const [both, write] = [
    await stack.createToken(account),
    await stack.createToken(account, { scopes: ['write'] }),
  ];
  const scopeOf = async (request: object) => {
    const { body } = await stack.anonymous.post<Exchanged>(path, request);
    t.is(decodeJwt(body.accessToken).scope, body.scope);
    return body.scope;
  };
  t.is(await scopeOf({ subjectToken: write.secret }), 'write');
  t.is(await scopeOf({ subjectToken: both.secret, scope: 'read read' }), 'read');
  const full = { grantType, subjectTokenType: accessTokenType, scope: 'write read' };
  t.is(await scopeOf({ ...full, subjectToken: both.secret }), 'read write');
});

test('a suspended account may exchange; a bearer header is neither needed nor looked at', async (t) => {
  const token = await stack.createToken(await stack.createAccount({ status: 'suspended' }));
  const client = stack.anonymous.with({ Authorization: 'Bearer nonsense' });
  t.is((await client.post(path, { subjectToken: token.secret })).status, 200);
});

test('the lifetime is the configured one, and never longer than the personal token’s', async (t) => {
  const short = await startStack(t, {
    withAuthServer: true,
    environment: { ACCESS_TOKEN_TTL_SECONDS: '60' },
    now: '2026-11-21T12:00:00.400Z',
  });
  const account = await short.createAccount();
  const exchanged = async (expiresAt: Date | null) => {
    const { secret } = await short.createToken(account, { expiresAt });
    return (await short.anonymous.post<Exchanged>(path, { subjectToken: secret })).body;
  };
  t.is((await exchanged(null)).expiresIn, 60);
  const expiresAt = new Date('2026-11-21T12:00:10.900Z');
  const body = await exchanged(expiresAt);
  t.is(body.expiresIn, 10);
  const { iat = 0, exp = 0 } = decodeJwt(body.accessToken);
  t.is(exp, iat + 10);
  t.true(exp * 1000 <= expiresAt.getTime());
});

let subjectToken = '';

test.before(async () => {
  const token = await stack.createToken(await stack.createAccount(), { scopes: ['read'] });
  subjectToken = token.secret;
});

/** Title, body, fields that are named in `errors`. */
const malformed: [string, () => unknown, string[]][] = [
  ['no body', () => undefined, ['body']],
  ['an empty object', () => ({}), ['subjectToken']],
  ['a text', () => '"tms_"', ['body']],
  ['malformed JSON', () => '{"subjectToken":', ['body']],
  ['a null subject token', () => ({ subjectToken: null }), ['subjectToken']],
  [
    'two unknown fields',
    () => ({ subjectToken, actorToken: 'x', resource: 'y' }),
    ['actorToken', 'resource'],
  ],
  ['snake case', () => ({ subject_token: subjectToken }), ['subjectToken', 'subject_token']],
  ['another grant type', () => ({ subjectToken, grantType: 'refresh_token' }), ['grantType']],
  [
    'another subject token type',
    () => ({ subjectToken, subjectTokenType: 'urn:ietf:params:oauth:token-type:jwt' }),
    ['subjectTokenType'],
  ],
  ['an unknown scope', () => ({ subjectToken, scope: 'read admin' }), ['scope']],
  ['a wider scope', () => ({ subjectToken, scope: 'read write' }), ['scope']],
  ['an empty scope', () => ({ subjectToken, scope: '' }), ['scope']],
  ['a scope with two blanks', () => ({ subjectToken, scope: 'read  read' }), ['scope']],
  ['a list as scope', () => ({ subjectToken, scope: ['read'] }), ['scope']],
  ['a lone surrogate', () => `{"subjectToken":"\\ud800"}`, ['subjectToken']],
];

test('a malformed request is a validation error that names each field', async (t) => {
  for (const [title, makeBody, fields] of malformed) {
    const { status, headers, body } = await stack.anonymous.post<Problem>(path, makeBody());
    t.is(status, 400, title);
    t.like(body, { errorType: 'validation', errorCode: 'validation_error' }, title);
    t.deepEqual(Object.keys(body.errors ?? {}).sort(), fields.toSorted(), title);
    t.is(headers.get('x-request-id'), body.requestId);
  }
});

test('messages say what is accepted and never repeat what was sent', async (t) => {
  const sent = { subjectToken, scope: 'secret-word', grantType: 'another-word' };
  const { body } = await stack.anonymous.post<Problem>(path, sent);
  t.deepEqual(body.errors, {
    scope: ['scope must be one or more of read, write, separated by single spaces'],
    grantType: ['grantType must be one of urn:ietf:params:oauth:grant-type:token-exchange'],
  });
});

const invalidGrants: [string, () => Promise<string>][] = [
  ['an unknown token', async () => mintApiToken()],
  [
    'a token with a wrong checksum',
    async () => subjectToken.replace(/.$/, (last) => (last === '0' ? '1' : '0')),
  ],
  ['a token with a blank after it', async () => `${subjectToken} `],
  ['garbage', async () => 'garbage'],
  ['a very long text', async () => 'x'.repeat(1_000_000)],
  ['a revoked token', revokedToken],
  ['an expired token', expiredToken],
  ['an access token', accessToken],
];

test('what is no live personal token is an invalid grant', async (t) => {
  for (const [title, make] of invalidGrants) {
    const { status, headers, body } = await stack.anonymous.post<Problem>(path, {
      subjectToken: await make(),
    });
    t.is(status, 400, title);
    t.like(body, { errorType: 'authentication', errorCode: 'invalid_grant', errors: undefined }, title);
    t.is(headers.get('www-authenticate'), null);
  }
});

async function revokedToken(): Promise<string> {
  const token = await stack.createToken(await stack.createAccount());
  await stack.revokeToken(token);
  return token.secret;
}

async function expiredToken(): Promise<string> {
  const expiresAt = new Date(Date.now() - 1);
  return (await stack.createToken(await stack.createAccount(), { expiresAt })).secret;
}

async function accessToken(): Promise<string> {
  const { body } = await stack.anonymous.post(path, { subjectToken });
  return String(body.accessToken);
}

test('a token in the query is refused before the body is read, as everywhere in the API', async (t) => {
  for (const query of ['access_token=x', 'token=', 'x=1&api%5Fkey=y', `token=${subjectToken}`]) {
    for (const body of [{ subjectToken }, undefined]) {
      const response = await stack.anonymous.post<Problem>(`${path}?${query}`, body);
      t.is(response.status, 401, query);
      t.is(response.body.errorCode, 'token_invalid');
      t.is(response.body.message, 'A token in the query string is refused; send it as a bearer header.');
      const metadata = `${stack.baseUrl}/.well-known/oauth-protected-resource`;
      t.is(
        response.headers.get('www-authenticate'),
        `Bearer resource_metadata="${metadata}", scope="read write", error="invalid_token"`,
      );
    }
  }
  t.is((await stack.anonymous.post(`${path}?tokens=1&Token=2`, { subjectToken })).status, 200);
});

test('a body of another media type is refused with 415, one beyond 2 MiB with 413', async (t) => {
  const body = JSON.stringify({ subjectToken });
  for (const contentType of ['application/x-www-form-urlencoded', 'text/plain', '']) {
    const headers = { 'Content-Type': contentType };
    const response = await stack.anonymous.post<Problem>(path, body, { headers });
    t.like(response, { status: 415, body: { errorCode: 'unsupported_media_type' } }, contentType);
  }
  const huge = await stack.anonymous.post<Problem>(path, { subjectToken: 'x'.repeat(2 * 1024 * 1024) });
  t.like(huge, { status: 413, body: { errorCode: 'body_too_large' } });
});

async function exchange({ anonymous }: Stack, subjectToken: string, scope: string) {
  const { status, body } = await anonymous.post('/auth/token', { subjectToken, scope });
  if (status !== 200) throw new Error(`the exchange was answered with ${status}`);
  return String(body.accessToken);
}

test('a narrower token can do no more than it says', async (t) => {
  const api = await stack.newClient();
  const client = stack.client(await exchange(stack, api.token.secret, 'read'));
  const { body } = await client.get<Identity>('/me');
  t.like(body, { accountId: api.account.accountId, tokenId: api.token.tokenId, scopes: ['read'] });
  const refused = await client.post<Problem>('/tasks', { title: 'x' });
  t.is(refused.status, 403);
  t.is(refused.body.errorCode, 'insufficient_scope');
});
