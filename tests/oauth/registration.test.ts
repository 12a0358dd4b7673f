import test from 'ava';
import type { Answer } from './oauth-endpoints.ts';
import { authorizationRequest, connectApp, openConsentPage, startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined, { own: true });
const { endpoints, stack, browser } = world;
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

test('a registration is answered with all that was stored, and nobody keeps it (RFC 7591 §3.2.1)', async (t) => {
  const before = Math.floor(Date.now() / 1_000);
  const { status, headers, body } = await endpoints.register({
    redirect_uris: [...redirectUris, 'http://localhost:8787/callback'],
    client_name: 'Beispiel-App ✓',
    client_uri: 'https://app.example.com',
    contacts: ['ada@example.com'],
    software_id: 'example',
    software_version: '1.2',
    vendor_extension: { anything: true },
    scopes: ['admin'],
  });
  t.is(status, 201);
  t.is(headers.get('cache-control'), 'no-store');
  t.regex(headers.get('content-type') ?? '', /^application\/json/);
  const { client_id: clientId, client_id_issued_at: issuedAt, ...rest } = body;
  t.deepEqual(rest, {
    redirect_uris: [...redirectUris, 'http://localhost:8787/callback'],
    client_name: 'Beispiel-App ✓',
    client_uri: 'https://app.example.com',
    contacts: ['ada@example.com'],
    software_id: 'example',
    software_version: '1.2',
    application_type: 'native',
    grant_types: ['authorization_code', 'refresh_token'],
    response_types: ['code'],
    scope: 'read write',
    token_endpoint_auth_method: 'none',
  });
  t.regex(String(clientId), /^app_[\w-]{22}$/);
  t.true(Number.isInteger(issuedAt) && Number(issuedAt) >= before);
});

test('no client gets a secret, a management token, or a method that it asked for (RFC 7591 §3.2.1)', async (t) => {
  const methods = [
    undefined,
    null,
    '',
    'none',
    'client_secret_basic',
    'client_secret_post',
    'private_key_jwt',
    'x',
  ];
  for (const method of methods) {
    const { status, body } = await endpoints.register({
      redirect_uris: redirectUris,
      token_endpoint_auth_method: method,
      client_secret: 'chosen by the client',
      registration_access_token: 'chosen by the client',
    });
    t.deepEqual([status, body.token_endpoint_auth_method], [201, 'none'], String(method));
    t.notRegex(JSON.stringify(body), /secret|registration_|chosen by/);
  }
});

test('where the operator says so, a client that wants a secret is refused (RFC 7591 §3.2.2)', async (t) => {
  const strict = await startOAuthWorld(t, { environment: { DCR_CONFIDENTIAL: 'reject' } });
  const register = (method: unknown) =>
    strict.endpoints.register({ redirect_uris: redirectUris, token_endpoint_auth_method: method });
  for (const method of ['client_secret_basic', 'client_secret_post', 'private_key_jwt', 'x'])
    t.like(await register(method), { status: 400, body: { error: 'invalid_client_metadata' } });
  for (const method of ['none', undefined, '']) t.is((await register(method)).status, 201);
});

const bodies: Record<string, [body: string | Buffer | undefined, error: string]> = {
  'that is empty': [undefined, 'invalid_client_metadata'],
  'that is no JSON': ['{"redirect_uris":', 'invalid_request'],
  'that is no object': ['["https://app.example.com/"]', 'invalid_client_metadata'],
  'that is null': ['null', 'invalid_client_metadata'],
  'that is a number': ['7', 'invalid_client_metadata'],
  'without redirect URIs': ['{}', 'invalid_redirect_uri'],
  'with no redirect URI': ['{"redirect_uris":[]}', 'invalid_redirect_uri'],
  'whose redirect URIs are a text': ['{"redirect_uris":"https://a.example/"}', 'invalid_client_metadata'],
  'whose redirect URIs are numbers': ['{"redirect_uris":[7]}', 'invalid_client_metadata'],
  'whose redirect URIs are nested': ['{"redirect_uris":[["https://a.example/"]]}', 'invalid_client_metadata'],
  'with U+0000 in a name': [
    '{"redirect_uris":["https://a.example/"],"client_name":"a\\u0000"}',
    'invalid_request',
  ],
  'with U+0000 in a member’s name': [
    '{"redirect_uris":["https://a.example/"],"a\\u0000":1}',
    'invalid_request',
  ],
  'with U+0000 in a member that no description may name as it is': [
    '{"redirect_uris":["https://a.example/"],"naïve \\"\\\\":"a\\u0000"}',
    'invalid_request',
  ],
  'with half a character': [
    '{"redirect_uris":["https://a.example/"],"client_name":"\\ud800"}',
    'invalid_request',
  ],
  'that is no UTF-8': [Buffer.from('{"client_name":"\xff"}', 'latin1'), 'invalid_request'],
  'that is nested deeper than anything needs': [
    `{"x":${'['.repeat(500)}${']'.repeat(500)}}`,
    'invalid_request',
  ],
  'of thousands of members': [JSON.stringify({ x: Array(5_000).fill(0) }), 'invalid_request'],
  'with a name that is too long': [
    JSON.stringify({ redirect_uris: redirectUris, client_name: 'x'.repeat(201) }),
    'invalid_client_metadata',
  ],
  'with 21 redirect URIs': [
    JSON.stringify({ redirect_uris: Array.from({ length: 21 }, (_, index) => `https://a.example/${index}`) }),
    'invalid_redirect_uri',
  ],
  'with a redirect URI that is too long': [
    JSON.stringify({ redirect_uris: [`https://a.example/${'x'.repeat(2_048)}`] }),
    'invalid_redirect_uri',
  ],
  'for tokens in the address': [
    JSON.stringify({ redirect_uris: redirectUris, response_types: ['token'] }),
    'invalid_client_metadata',
  ],
  'whose name is a list': [
    JSON.stringify({ redirect_uris: redirectUris, client_name: ['x'] }),
    'invalid_client_metadata',
  ],
};

for (const [what, [body, error]] of Object.entries(bodies)) {
  test.serial(
    `a registration ${what} is refused as ${error} and stores nothing (RFC 7591 §3.2.2)`,
    async (t) => {
      const before = await storedClients();
      const answer = await send(body, { accept: 'text/html' });
      t.is(answer.status, 400);
      t.is(answer.body.error, error);
      t.deepEqual(Object.keys(answer.body), ['error', 'error_description']);
      t.regex(String(answer.body.error_description), /^[\x20-\x21\x23-\x5b\x5d-\x7e]+$/);
      t.regex(answer.headers.get('content-type') ?? '', /^application\/json/);
      t.is(answer.headers.get('cache-control'), 'no-store');
      t.is(await storedClients(), before);
    },
  );
}

test('a registration is JSON, of 2 MiB at most (RFC 7591 §3.1)', async (t) => {
  const valid = JSON.stringify({ redirect_uris: redirectUris });
  for (const type of [
    'application/x-www-form-urlencoded',
    'text/plain',
    'application/json; charset=latin1',
    '',
  ]) {
    t.like(await send(valid, { 'content-type': type }), { status: 400, body: { error: 'invalid_request' } });
  }
  t.is((await send(valid, { 'content-type': 'Application/JSON; charset="UTF-8"' })).status, 201);
  const padded = (bytes: number) => valid + ' '.repeat(bytes - valid.length);
  t.is((await send(padded(2 * 1024 * 1024))).status, 201);
  t.like(await send(padded(2 * 1024 * 1024 + 1)), { status: 413, body: { error: 'invalid_request' } });
});

test('a client may use every limit at once, and what its JSON would escape comes in no address (RFC 3986 §2)', async (t) => {
  const fill = (start: string, filling = 'x') => start + filling.repeat(2_048 - start.length);
  const pages = (filling: string) =>
    Object.fromEntries(
      ['client_uri', 'logo_uri', 'tos_uri', 'policy_uri'].map((name) => [
        name,
        fill('https://a.example/', filling),
      ]),
    );
  const texts = ['client_name', 'software_id', 'software_version'].map((name) => [name, '🗂'.repeat(200)]);
  const largest = {
    redirect_uris: Array.from({ length: 20 }, (_, index) => fill(`https://a.example/${index}/`)),
    ...Object.fromEntries(texts),
    contacts: Array.from({ length: 20 }, (_, index) => `${index}@a.example`.padStart(200, 'x')),
  };
  t.like(await endpoints.register({ ...largest, ...pages('x') }), { status: 201, body: largest });
  const { status, body } = await endpoints.register({ ...largest, ...pages('"') });
  t.deepEqual([status, 'logo_uri' in body], [201, false]);
  t.like(await endpoints.register({ redirect_uris: [fill('https://a.example/', '"')] }), {
    status: 400,
    body: { error: 'invalid_redirect_uri' },
  });
});

test('a member that is sent twice counts once, and none reaches an object’s own machinery', async (t) => {
  const text = `{"__proto__":{"client_secret":"x"},"constructor":1,"redirect_uris":["http://evil.example/"],
    "redirect_uris":["https://app.example.com/callback"],"toString":"x"}`;
  const { status, body } = await send(text);
  t.deepEqual([status, body.redirect_uris], [201, redirectUris]);
  t.false('client_secret' in body);
});

test('a client that registered for reading may ask for more later (RFC 7591 §2)', async (t) => {
  for (const scope of ['read', '', 'openid', 'admin']) {
    const { body } = await endpoints.register({ redirect_uris: redirectUris, scope });
    const clientId = String(body.client_id);
    const { tokens } = await connectApp(world, { clientId, parameters: { scope: 'read write' } });
    t.is(tokens.scope, 'read write');
  }
});

test('a client’s own words are shown as words (RFC 7591 §5)', async (t) => {
  const name = '<script>alert(1)</script>"\'&{{x}}${x}%0d%0a';
  const { body } = await endpoints.register({ redirect_uris: redirectUris, client_name: name });
  const { parameters } = authorizationRequest(String(body.client_id));
  const page = await openConsentPage(browser, endpoints.authorizeUrl(parameters));
  t.true(page.text.includes(name));
  t.notRegex(page.markup, /<script>/);
});

test('what a registration points to is never fetched (RFC 7591 §5)', async (t) => {
  const url = `${stack.baseUrl}/oauth/jwks?fetched`;
  const pointers = ['jwks_uri', 'sector_identifier_uri', 'logo_uri', 'client_uri', 'initiate_login_uri'];
  const { status } = await endpoints.register({
    redirect_uris: redirectUris,
    request_uris: [url],
    software_statement: 'eyJhbGciOiJub25lIn0.e30.',
    ...Object.fromEntries(pointers.map((name) => [name, url])),
  });
  t.is(status, 201);
  t.false(stack.log.some((line) => line.path === '/oauth/jwks'));
});

test('too many registrations from one address are told when to come again (RFC 6585 §4, RFC 7591 §5)', async (t) => {
  const limited = await startOAuthWorld(t, { environment: { REGISTRATIONS_PER_ADDRESS_PER_HOUR: '3' } });
  for (let count = 0; count < 3; count += 1) t.is((await limited.endpoints.register()).status, 201);
  const { status, headers, body } = await limited.endpoints.register(undefined, { accept: 'text/html' });
  t.deepEqual([status, body.error], [429, 'temporarily_unavailable']);
  t.regex(headers.get('retry-after') ?? '', /^[1-9]\d*$/);
  t.regex(headers.get('content-type') ?? '', /^application\/json/);
  t.is(headers.get('access-control-allow-origin'), '*');
});
