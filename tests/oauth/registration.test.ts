import test from 'ava';
import type { Answer } from './oauth-endpoints.ts';
import { startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined, { own: true });
const { endpoints, stack } = world;
const redirectUris = ['https://app.example.com/callback'];
test.after.always(() => stack.close());

async function storedClients(): Promise<number> {
  const [row] = await stack.sql<{ count: number }>`select count(*)::int as count from auth.oauth_client`;
  return row?.count ?? 0;
}

/** Sends these very bytes. */
async function send(
  body: string | Buffer | undefined,
  headers: Record<string, string> = {},
): Promise<Answer> {
  const response = await fetch(`${stack.baseUrl}/oauth/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json', ...headers },
    ...(body !== undefined && { body: Buffer.from(body) }),
  });
  const answer = (await response.json()) as Record<string, unknown>;
  return { status: response.status, headers: response.headers, body: answer };
}

test('a registration returns all that was stored, no secret, uncached (RFC 7591 §3.2.1)', async (t) => {
  const before = Math.floor(Date.now() / 1_000);
  const said = {
    redirect_uris: [...redirectUris, 'http://localhost:8787/callback'],
    client_name: 'Beispiel-App ✓',
    client_uri: 'https://app.example.com',
    contacts: ['ada@example.com'],
    software_id: 'example',
    software_version: '1.2',
  };
  const { status, headers, body } = await endpoints.register({
    ...said,
    vendor_extension: {},
    scopes: ['x'],
    client_id: world.owner.accountId,
    sub: world.owner.accountId,
    token_endpoint_auth_method: 'client_secret_basic',
    client_secret: 'chosen by the client',
    registration_access_token: 'chosen by the client',
  });
  t.is(status, 201);
  t.is(headers.get('cache-control'), 'no-store');
  t.regex(headers.get('content-type') ?? '', /^application\/json/);
  const { client_id: clientId, client_id_issued_at: issuedAt, ...rest } = body;
  t.deepEqual(rest, {
    ...said,
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'read write',
    token_endpoint_auth_method: 'none',
  });
  t.regex(String(clientId), /^app_[\w-]{22}$/);
  t.true(Number.isInteger(issuedAt) && Number(issuedAt) >= before);
});

test('where the operator says so, a client that wants a secret is refused (RFC 7591 §3.2.2)', async (t) => {
  const strict = await startOAuthWorld(t, { environment: { DCR_CONFIDENTIAL: 'reject' } });
  const register = (method: unknown) =>
    strict.endpoints.register({ redirect_uris: redirectUris, token_endpoint_auth_method: method });
  t.like(await register('client_secret_post'), { status: 400, body: { error: 'invalid_client_metadata' } });
  t.is((await register('none')).status, 201);
});

const withUri = (members: string) => `{"redirect_uris":["https://a.example/"],${members}}`;
const bodies: Record<string, [body: string | Buffer | undefined, error: string]> = {
  'that is empty': [undefined, 'invalid_client_metadata'],
  'that is no JSON': ['{"redirect_uris":', 'invalid_request'],
  'that is no object': ['["https://app.example.com/"]', 'invalid_client_metadata'],
  'that is null': ['null', 'invalid_client_metadata'],
  'with U+0000 in a name': [withUri('"client_name":"a\\u0000"'), 'invalid_request'],
  'with U+0000 in a member’s name': [withUri('"a\\u0000":1'), 'invalid_request'],
  'with a member that no description may quote': [withUri('"naïve \\"\\\\":"a\\u0000"'), 'invalid_request'],
  'with half a character': [withUri('"client_name":"\\ud800"'), 'invalid_request'],
  'that is no UTF-8': [Buffer.from('{"client_name":"\xff"}', 'latin1'), 'invalid_request'],
  'that is nested 500 deep': [`{"x":${'['.repeat(500)}${']'.repeat(500)}}`, 'invalid_request'],
  'of thousands of members': [JSON.stringify({ x: Array(5_000).fill(0) }), 'invalid_request'],
  'with an executable redirect URI': ['{"redirect_uris":["javascript:alert(1)"]}', 'invalid_redirect_uri'],
  'for tokens in the address': [withUri('"response_types":["token"]'), 'invalid_client_metadata'],
};

for (const [what, [body, error]] of Object.entries(bodies)) {
  test.serial(`a registration ${what} is refused as ${error}, unstored (RFC 7591 §3.2.2)`, async (t) => {
    const before = await storedClients();
    const answer = await send(body, { accept: 'text/html' });
    t.deepEqual([answer.status, answer.body.error], [400, error]);
    t.deepEqual(Object.keys(answer.body), ['error', 'error_description']);
    t.regex(String(answer.body.error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
    t.regex(answer.headers.get('content-type') ?? '', /^application\/json/);
    t.is(answer.headers.get('cache-control'), 'no-store');
    t.is(await storedClients(), before);
  });
}

test('a registration is JSON, of 2 MiB at most (RFC 7591 §3.1)', async (t) => {
  const valid = JSON.stringify({ redirect_uris: redirectUris });
  for (const type of ['application/x-www-form-urlencoded', 'application/json; charset=latin1', ''])
    t.like(await send(valid, { 'content-type': type }), { status: 400, body: { error: 'invalid_request' } });
  t.is((await send(valid, { 'content-type': 'Application/JSON; charset="UTF-8"' })).status, 201);
  const padded = (bytes: number) => valid + ' '.repeat(bytes - valid.length);
  t.is((await send(padded(2 * 1024 * 1024))).status, 201);
  t.like(await send(padded(2 * 1024 * 1024 + 1)), { status: 413, body: { error: 'invalid_request' } });
});

test('a member that is sent twice counts once, and none reaches an object’s prototype', async (t) => {
  const { status, body } = await send(`{"__proto__":{"client_secret":"x"},"constructor":1,"toString":"x",
    "redirect_uris":["http://evil.example/"],"redirect_uris":["https://app.example.com/callback"]}`);
  t.deepEqual([status, body.redirect_uris], [201, redirectUris]);
  t.false('client_secret' in body);
});

test('what a registration points to is never fetched (RFC 7591 §5)', async (t) => {
  const url = `${stack.baseUrl}/oauth/jwks?fetched`;
  const pointers = ['jwks_uri', 'sector_identifier_uri', 'logo_uri', 'client_uri', 'initiate_login_uri'];
  const { status } = await endpoints.register({
    redirect_uris: redirectUris,
    request_uris: [url],
    ...Object.fromEntries(pointers.map((name) => [name, url])),
  });
  t.is(status, 201);
  t.false(stack.log.some((line) => line.path === '/oauth/jwks'));
});

test('too many registrations get 429 with Retry-After (RFC 6585 §4, RFC 7591 §5)', async (t) => {
  const limited = await startOAuthWorld(t, { environment: { REGISTRATIONS_PER_ADDRESS_PER_HOUR: '3' } });
  for (let count = 0; count < 3; count += 1) t.is((await limited.endpoints.register()).status, 201);
  const { status, headers, body } = await limited.endpoints.register(undefined, { accept: 'text/html' });
  t.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
  t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.is(headers.get('access-control-allow-origin'), '*');
});
