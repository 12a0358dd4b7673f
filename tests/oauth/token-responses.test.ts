import test from 'ava';
import type { Answer, Parameters } from './oauth-endpoints.ts';
import { connectApp, obtainCode, refreshRequest, registerClient, startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;

const form = 'application/x-www-form-urlencoded';

/** What programs get, whatever they say they like better. */
const preferences: Record<string, string>[] = [
  {},
  { accept: 'text/html' },
  { accept: 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8' },
  { accept: 'application/json;q=0, text/html' },
  { accept: '' },
];

function isForPrograms({ headers }: Pick<Answer, 'headers'>): boolean {
  const isJson = /^application\/json(; charset=utf-8)?$/.test(headers.get('content-type') ?? '');
  return isJson && headers.get('cache-control') === 'no-store' && headers.get('location') === null;
}

test('tokens are JSON that nobody keeps, with everything a client needs and nothing else (RFC 6749 §5.1)', async (t) => {
  for (const headers of preferences) {
    const { redemption } = await obtainCode(world, { clientId });
    const first = await endpoints.token(redemption, headers);
    const refresh = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: first.body.refresh_token,
    };
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

test('the scope that was granted is always stated, also when nobody asked for one (RFC 6749 §5.1)', async (t) => {
  const cases: [asked: string | undefined, granted: string][] = [
    [undefined, 'read write'],
    ['', 'read write'],
    ['write', 'write'],
    ['write read', 'read write'],
    ['read read', 'read'],
    ['openid profile email offline_access admin write', 'write'],
  ];
  for (const [scope, granted] of cases) {
    const { tokens } = await connectApp(world, { clientId, parameters: { scope } });
    t.is(tokens.scope, granted, scope);
  }
});

const faults: Record<string, [parameters: Parameters, status: number, error: string]> = {
  'without a grant type': [{ grant_type: undefined }, 400, 'invalid_request'],
  'of a grant type that is not served': [{ grant_type: 'password' }, 400, 'unsupported_grant_type'],
  'without a client': [{ client_id: undefined }, 400, 'invalid_request'],
  'of a client nobody knows': [{ client_id: 'app_unknown' }, 401, 'invalid_client'],
  'with a token nobody knows': [{ refresh_token: 'unknown' }, 400, 'invalid_grant'],
  'without its token': [{ refresh_token: undefined }, 400, 'invalid_request'],
  'for a resource that is not ours': [{ resource: 'https://evil.example' }, 400, 'invalid_target'],
  'with a parameter that comes twice': [
    { grant_type: ['refresh_token', 'refresh_token'] },
    400,
    'invalid_request',
  ],
};

for (const [what, [changes, status, error]] of Object.entries(faults)) {
  test(`a token request ${what} is refused as ${error}, in JSON that nobody keeps (RFC 6749 §5.2)`, async (t) => {
    const request = {
      grant_type: 'refresh_token',
      client_id: clientId,
      refresh_token: 'unknown',
      ...changes,
    };
    for (const headers of preferences) {
      const answer = await endpoints.token(request, headers);
      t.is(answer.status, status);
      t.is(answer.body.error, error);
      t.true(isForPrograms(answer));
      t.regex(String(Object(answer.body).error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    }
  });
}

test('an unknown client that used the Authorization header is told the scheme (RFC 6749 §5.2)', async (t) => {
  const authorization = `Basic ${btoa('app_unknown:secret')}`;
  const { status, headers, body } = await endpoints.token({ grant_type: 'refresh_token' }, { authorization });
  t.deepEqual([status, body.error], [401, 'invalid_client']);
  t.regex(headers.get('www-authenticate') ?? '', /^Basic /);
});

test('a client that sends a secret it can’t have is refused, and its code stays (RFC 6749 §2.3)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const authorization = `Basic ${btoa(`${clientId}:secret`)}`;
  const { status, body } = await endpoints.token(redemption, { authorization });
  t.deepEqual([status, body.error], [401, 'invalid_client']);
  t.is((await endpoints.token(redemption)).status, 200);
});

test('why a grant is refused is not told: expired, foreign and made-up ones are one answer (RFC 6749 §5.2)', async (t) => {
  const app = await connectApp(world, { clientId });
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

test('what is no form, or no token request, is refused in the same words (RFC 6749 §3.2)', async (t) => {
  const requests: [status: number, init: RequestInit, error?: string][] = [
    [400, { method: 'POST', body: '{}', headers: { 'content-type': 'application/json' } }],
    [400, { method: 'POST', body: 'grant_type=x', headers: { 'content-type': 'text/plain' } }],
    [
      400,
      { method: 'POST', body: 'grant_type=x', headers: { 'content-type': `${form}; charset=iso-8859-1` } },
    ],
    [400, { method: 'POST', body: 'a=b', headers: { 'content-type': 'multipart/form-data; boundary=x' } }],
    [400, { method: 'POST', body: 'grant_type=%ff', headers: { 'content-type': form } }],
    [400, { method: 'POST', body: 'grant_type=%', headers: { 'content-type': form } }],
    [
      400,
      { method: 'POST', body: Buffer.from('grant_type=\xff', 'latin1'), headers: { 'content-type': form } },
    ],
    [400, { method: 'POST', body: 'code=%00', headers: { 'content-type': form } }],
    [400, { method: 'POST', body: 'x', headers: { 'content-type': form, 'content-encoding': 'zstd-x' } }],
    [400, { method: 'POST' }],
    [413, { method: 'POST', body: `x=${'y'.repeat(70_000)}`, headers: { 'content-type': form } }],
    [405, { method: 'GET' }],
    [405, { method: 'PUT', body: 'grant_type=x', headers: { 'content-type': form } }],
    [405, { method: 'DELETE' }],
  ];
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    for (const [status, init] of requests) {
      const what = JSON.stringify([path, init]);
      const headers = { accept: 'text/html', ...(init.headers as Record<string, string>) };
      const response = await fetch(stack.baseUrl + path, { ...init, headers });
      const body = (await response.json()) as Record<string, unknown>;
      t.is(response.status, status, what);
      t.deepEqual([body.error, Object.keys(body)], ['invalid_request', ['error', 'error_description']], what);
      t.true(isForPrograms({ headers: response.headers }), what);
      t.is(response.headers.get('allow'), status === 405 ? 'POST' : null);
    }
  }
});

test('a form of 16 KiB is read however long its percent-encoding is, and none that is longer', async (t) => {
  const send = async (path: string, bytes: number) => {
    const start = `grant_type=refresh_token&client_id=${clientId}&refresh_token=x&token=`;
    const body = start.padEnd(bytes, '"');
    const init = { method: 'POST', headers: { 'content-type': form }, body };
    const response = await fetch(stack.baseUrl + path, init);
    return [response.status, await response.text()];
  };
  const [status, answer] = await send('/oauth/token', 16 * 1024);
  t.deepEqual([status, JSON.parse(String(answer)).error], [400, 'invalid_grant']);
  t.deepEqual(await send('/oauth/revoke', 16 * 1024), [200, '']);
  for (const path of ['/oauth/token', '/oauth/revoke']) {
    for (const bytes of [16 * 1024 + 1, 30 * 1024, 60 * 1024]) {
      const [status, answer] = await send(path, bytes);
      t.is(status, 413);
      t.like(JSON.parse(String(answer)), { error_description: 'The request body is larger than 16 KiB.' });
    }
  }
});

const unreadable: Record<string, [type: string, change: (body: string) => string]> = {
  'that calls itself text': ['text/plain', (body) => body],
  'that calls itself JSON': ['application/json', (body) => body],
  'in another character set': [`${form}; charset=iso-8859-1`, (body) => body],
  'without a type': ['', (body) => body],
  'in parts': ['multipart/form-data; boundary=x', (body) => body],
  'that is not UTF-8': [form, (body) => `${body}&x=%ff`],
  'that is not percent-encoded': [form, (body) => `${body}&x=%`],
  'with U+0000': [form, (body) => `${body}&x=%00`],
  'with U+0000 in a name': [form, (body) => `${body}&%00=x`],
  'in JSON': ['application/json', (body) => JSON.stringify(Object.fromEntries(new URLSearchParams(body)))],
};

for (const [what, [type, change]] of Object.entries(unreadable)) {
  test(`a form ${what} is not guessed at: its code stays unused (RFC 6749 §4.1.3)`, async (t) => {
    const { redemption } = await obtainCode(world, { clientId });
    const body = Buffer.from(change(new URLSearchParams(redemption).toString()));
    const headers: Record<string, string> = type === '' ? {} : { 'content-type': type };
    const response = await fetch(`${stack.baseUrl}/oauth/token`, { method: 'POST', headers, body });
    t.is(response.status, 400);
    t.like(await response.json(), { error: 'invalid_request' });
    t.is((await endpoints.token(redemption)).status, 200);
  });
}

test('parameters in the query of a token request count for nothing (RFC 6749 §3.2)', async (t) => {
  const { redemption } = await obtainCode(world, { clientId });
  const response = await fetch(`${stack.baseUrl}/oauth/token?${new URLSearchParams(redemption)}`, {
    method: 'POST',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  t.is(response.status, 400);
  t.is((await endpoints.token(redemption)).status, 200);
});

test.serial(
  'too many token requests are told when to come again, in OAuth’s words (RFC 6585 §4)',
  async (t) => {
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
  },
);
