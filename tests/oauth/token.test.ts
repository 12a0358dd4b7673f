import test from 'ava';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import type { Answer, Parameters } from './oauth-endpoints.ts';
import {
  connectApp,
  obtainCode,
  password,
  refreshRequest,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
const app = await connectApp(world);
test.after.always(() => world.stack.close());
const { endpoints, stack, owner } = world;

const form = 'application/x-www-form-urlencoded';

/** What programs get, whatever they prefer. */
const preferences: Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { accept: 'application/json;q=0, text/html' },
  { accept: '' },
];

function isForPrograms({ headers }: Pick<Answer, 'headers'>): boolean {
  const isJson = /^application\/json(; charset=utf-8)?$/.test(headers.get('content-type') ?? '');
  return isJson && headers.get('cache-control') === 'no-store' && headers.get('location') === null;
}

test('a token response is uncached JSON with exactly what a client needs (RFC 6749 §5.1)', async (t) => {
  for (const headers of preferences) {
    const { redemption } = await obtainCode(world, { clientId });
    const first = await endpoints.token(redemption, headers);
    const { refresh_token } = first.body;
    const refresh = { grant_type: 'refresh_token', client_id: clientId, refresh_token };
    for (const answer of [first, await endpoints.token(refresh, headers)]) {
      t.is(answer.status, 200);
      t.true(isForPrograms(answer));
      const members = ['access_token', 'expires_in', 'refresh_token', 'scope', 'token_type'];
      t.deepEqual(Object.keys(answer.body).sort(), members);
      t.like(answer.body, { token_type: 'Bearer', expires_in: 600, scope: 'read write' });
      t.is(answer.headers.get('x-content-type-options'), 'nosniff');
    }
  }
});

test('the granted scope is always stated, also when none was requested (RFC 6749 §5.1)', async (t) => {
  const cases: [requested: string | undefined, granted: string][] = [
    [undefined, 'read write'],
    ['', 'read write'],
    ['write', 'write'],
    ['write read', 'read write'],
    ['openid profile email offline_access admin write', 'write'],
  ];
  for (const [scope, granted] of cases) {
    const { tokens } = await connectApp(world, { clientId, parameters: { scope } });
    t.is(tokens.scope, granted, scope);
  }
});

const urn = 'urn:ietf:params:oauth:grant-type';
const unsupported = [400, 'unsupported_grant_type'] as const;

type Fault = readonly [parameters: Parameters, status: number, error: string];

const faults: Record<string, Fault> = {
  'without a grant type': [{ grant_type: undefined }, 400, 'invalid_request'],
  'with an empty grant type': [{ grant_type: '' }, 400, 'invalid_request'],
  'of two grant types': [{ grant_type: ['refresh_token', 'authorization_code'] }, 400, 'invalid_request'],
  'with the owner’s password': [{ grant_type: 'password', username: owner.email, password }, ...unsupported],
  'of the client itself': [{ grant_type: 'client_credentials', sub: owner.accountId }, ...unsupported],
  'of an implicit grant': [{ grant_type: 'implicit' }, ...unsupported],
  'with a device code': [{ grant_type: `${urn}:device_code`, device_code: 'x' }, ...unsupported],
  'with an assertion': [{ grant_type: `${urn}:jwt-bearer`, assertion: 'e30.e30.' }, ...unsupported],
  'of an exchange': [{ grant_type: `${urn}:token-exchange`, subject_token: 'x' }, ...unsupported],
  'of a grant in the wrong case': [{ grant_type: 'Authorization_Code', code: 'x' }, ...unsupported],
  'of an unknown grant': [{ grant_type: 'constructor' }, ...unsupported],
  'of an unknown client': [{ client_id: 'app_unknown' }, 401, 'invalid_client'],
  'with an unknown token': [{}, 400, 'invalid_grant'],
  'without its token': [{ refresh_token: undefined }, 400, 'invalid_request'],
};

for (const [what, [changes, status, error]] of Object.entries(faults)) {
  test(`a token request ${what} gets ${error} in uncached JSON (RFC 6749 §5.2)`, async (t) => {
    const request = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: 'unknown',
      ...changes,
    };
    for (const headers of preferences) {
      const answer = await endpoints.token(request, headers);
      t.deepEqual([answer.status, answer.body.error], [status, error]);
      t.true(isForPrograms(answer));
      t.regex(String(Object(answer.body).error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });
}

test('a client with a secret is refused, and its code stays unused (RFC 6749 §2.3, §5.2)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const requests: [user: string, Parameters][] = [
    [clientId, redemption],
    ['app_unknown', { grant_type: 'refresh_token' }],
  ];
  for (const [user, request] of requests) {
    const authorization = `Basic ${btoa(`${user}:secret`)}`;
    const { status, headers, body } = await endpoints.token(request, { authorization });
    t.deepEqual([status, body.error], [401, 'invalid_client']);
    t.regex(headers.get('www-authenticate') ?? '', /^Basic /);
  }
  t.is((await endpoints.token(redemption)).status, 200);
});

test('expired, foreign and made-up codes and tokens get the same answer (RFC 6749 §5.2)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const stranger = await registerClient(world);
  const requests: Parameters[] = [
    { ...redemption, code: 'made-up' },
    { ...redemption, client_id: stranger },
    { ...redemption, redirect_uri: 'https://evil.example' },
    { ...redemption, code_verifier: 'A'.repeat(43) },
    refreshRequest(app, 'made-up'),
    { ...refreshRequest(app), client_id: stranger },
  ];
  const bodies = await Promise.all(requests.map(async (request) => (await endpoints.token(request)).body));
  t.is(new Set(bodies.map((body) => JSON.stringify(body))).size, 1);
});

const asForm = { 'content-type': form };
const fields = `grant_type=x&client_id=${clientId}`;
const notAForm: [status: number, init: RequestInit][] = [
  [400, { method: 'POST', body: fields, headers: { 'content-type': 'application/json' } }],
  [400, { method: 'POST', body: fields, headers: { 'content-type': 'text/plain' } }],
  [400, { method: 'POST', body: Buffer.from(fields) }],
  [400, { method: 'POST', body: fields, headers: { 'content-type': `${form}; charset=iso-8859-1` } }],
  [400, { method: 'POST', body: 'a=b', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
  [400, { method: 'POST', body: `${fields}&x=%`, headers: asForm }],
  [400, { method: 'POST', body: `${fields}&%00=x`, headers: asForm }],
  [400, { method: 'POST', body: 'grant_type=%ff', headers: asForm }],
  [400, { method: 'POST', body: Buffer.from('grant_type=\xff', 'latin1'), headers: asForm }],
  [400, { method: 'POST', body: 'code=%00', headers: asForm }],
  [400, { method: 'POST', body: 'x', headers: { ...asForm, 'content-encoding': 'zstd-x' } }],
  [400, { method: 'POST' }],
  [413, { method: 'POST', body: `x=${'y'.repeat(70_000)}`, headers: asForm }],
  [405, { method: 'GET' }],
  [405, { method: 'DELETE' }],
];

for (const path of ['/oauth/token', '/oauth/revoke']) {
  test(`what is no form is refused at ${path} as invalid_request (RFC 6749 §3.2)`, async (t) => {
    for (const [status, init] of notAForm) {
      const what = JSON.stringify(init);
      const headers = { accept: 'text/html', ...(init.headers as Record<string, string>) };
      const response = await fetch(stack.baseUrl + path, { ...init, headers });
      const body = (await response.json()) as Record<string, unknown>;
      t.deepEqual([response.status, body.error], [status, 'invalid_request'], what);
      t.deepEqual(Object.keys(body), ['error', 'error_description']);
      t.true(isForPrograms(response), what);
      t.is(response.headers.get('allow'), status === 405 ? 'POST' : null);
    }
  });

  test(`a form of 16 KiB is read at ${path}, and none that is longer`, async (t) => {
    const send = (bytes: number) => {
      const start = `grant_type=refresh_token&client_id=${clientId}&refresh_token=x&token=`;
      const init = { method: 'POST', headers: asForm, body: start.padEnd(bytes, '"') };
      return fetch(stack.baseUrl + path, init);
    };
    t.is((await send(16 * 1024)).status, path === '/oauth/token' ? 400 : 200);
    for (const bytes of [16 * 1024 + 1, 60 * 1024]) t.is((await send(bytes)).status, 413);
  });
}

test('parameters in the query of a token request count for nothing (RFC 6749 §3.2)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const url = `${stack.baseUrl}/oauth/token?${new URLSearchParams(redemption)}`;
  t.is((await fetch(url, { method: 'POST', headers: asForm })).status, 400);
  t.is((await endpoints.token(redemption)).status, 200);
});

test.serial('too many token requests get 429 with Retry-After, as OAuth JSON (RFC 6585 §4)', async (t) => {
  const limited = await startOAuthWorld(t, { environment: { TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE: '2' } });
  const id = await registerClient(limited);
  const refresh = { grant_type: 'refresh_token', client_id: id, refresh_token: 'x' };
  t.is((await limited.endpoints.token(refresh)).status, 400);
  t.is((await limited.endpoints.revoke({ client_id: id, token: 'x' })).status, 200);
  for (const send of [limited.endpoints.token, limited.endpoints.revoke]) {
    const { status, headers, body } = await send(refresh, { accept: 'text/html' });
    t.is(status, 429);
    t.like(typeof body === 'string' ? JSON.parse(body) : body, { error: 'temporarily_unavailable' });
    t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
    t.is(headers.get('access-control-allow-origin'), '*');
    t.regex(headers.get('content-type') ?? '', /^application\/json/);
  }
});

const { access_token: accessToken, refresh_token: refreshToken } = app.tokens;

test('codes, refresh and access tokens are not interchangeable (RFC 6749 §4.1.3, §6)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId: app.clientId });
  const { code = '' } = redemption;
  for (const token of [code, refreshToken]) t.is(await endpoints.me(token), 401);
  const invalidGrant = { status: 400, body: { error: 'invalid_grant' } };
  for (const token of [code, accessToken])
    t.like(await endpoints.token(refreshRequest(app, token)), invalidGrant);
  for (const other of [refreshToken, accessToken])
    t.like(await endpoints.token({ ...redemption, code: other }), invalidGrant);
  const exchange = await stack.anonymous.post('/auth/token', { subjectToken: accessToken });
  t.like(exchange, { status: 400, body: { errorCode: 'invalid_grant' } });
  t.is((await endpoints.token(redemption)).status, 200);
});

test('an access token is a minimal JWT for our API alone (RFC 9068 §2, RFC 9700 §2.3)', async (t) => {
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
