import test from 'ava';
import type { RequestBody } from '#tests/support/api-client.ts';
import type { Parameters } from '../oauth/oauth-endpoints.ts';
import {
  authorizationRequest,
  connectApp,
  obtainCode,
  registerClient,
  startOAuthWorld,
} from '../oauth/oauth-flow.ts';

// Its clients compare every answer with the document.
const world = await startOAuthWorld(undefined);
const { stack } = world;

const app = await connectApp(world);
test.after.always(() => stack.close());

const form = (fields: Record<string, string>) => new URLSearchParams(fields);

/** Each is answered with a documented status, in the documented shape and with the documented headers. */
const answers: [status: number, what: string, path: string, body: RequestBody][] = [
  [201, 'a registration', '/oauth/register', { redirect_uris: ['https://app.example/callback'] }],
  [
    201,
    'a registration in full',
    '/oauth/register',
    {
      redirect_uris: ['http://localhost/callback', 'com.example.app:/callback'],
      client_name: 'App',
      client_uri: 'https://app.example',
      logo_uri: '',
      tos_uri: null,
      policy_uri: 'https://app.example/policy',
      contacts: ['ada@app.example'],
      software_id: 'app',
      software_version: '1.0',
      grant_types: ['authorization_code', 'urn:example:unknown'],
      response_types: ['code'],
      token_endpoint_auth_method: 'client_secret_post',
      scope: '',
      application_type: 'web',
      vendor: { anything: true },
    },
  ],
  [400, 'a registration of a bad URI', '/oauth/register', { redirect_uris: ['http://app.example/'] }],
  [400, 'a registration with bad metadata', '/oauth/register', { redirect_uris: [], client_name: 7 }],
  [400, 'a registration that is no JSON', '/oauth/register', '{'],
  [413, 'a registration that is too large', '/oauth/register', ' '.repeat(2 * 1024 * 1024 + 1)],
  [400, 'a token request without a grant type', '/oauth/token', form({ client_id: app.clientId })],
  [
    400,
    'a token request of another grant type',
    '/oauth/token',
    form({ client_id: app.clientId, grant_type: 'password' }),
  ],
  [
    400,
    'a refresh token that is none',
    '/oauth/token',
    form({ client_id: app.clientId, grant_type: 'refresh_token', refresh_token: 'none' }),
  ],
  [
    400,
    'a refresh for another resource',
    '/oauth/token',
    form({
      client_id: app.clientId,
      grant_type: 'refresh_token',
      refresh_token: 'x',
      resource: 'https://other.example',
    }),
  ],
  [
    401,
    'a token request of an unknown client',
    '/oauth/token',
    form({ client_id: 'app_unknown', grant_type: 'refresh_token', refresh_token: 'x' }),
  ],
  [400, 'a token request that is JSON', '/oauth/token', { grant_type: 'refresh_token' }],
  [413, 'a token request that is too large', '/oauth/token', form({ code: 'x'.repeat(70_000) })],
  [
    200,
    'a revocation of what is no token',
    '/oauth/revoke',
    form({ token: 'none', client_id: app.clientId }),
  ],
  [400, 'a revocation without a token', '/oauth/revoke', form({ client_id: app.clientId })],
  [400, 'a revocation by an unknown client', '/oauth/revoke', form({ token: 'x', client_id: 'app_unknown' })],
  [413, 'a revocation that is too large', '/oauth/revoke', form({ token: 'x'.repeat(70_000) })],
];

for (const [status, what, path, body] of answers) {
  test(`${what} is answered ${status}, as the document says`, async (t) => {
    t.is((await stack.site.post<unknown>(path, body)).status, status);
  });
}

test('a code and a refresh token are answered as the document says', async (t) => {
  const { redemption, clientId } = await obtainCode(world);
  const first = await stack.site.post('/oauth/token', form(redemption));
  t.is(first.status, 200);
  const refresh = {
    grant_type: 'refresh_token',
    refresh_token: String(first.body.refresh_token),
    client_id: clientId,
  };
  const second = await stack.site.post('/oauth/token', form({ ...refresh, scope: 'read' }));
  t.is(second.status, 200);
  t.is(second.body.scope, 'read');
  const tokens = { token: String(second.body.refresh_token), client_id: clientId };
  t.is((await stack.site.post<unknown>('/oauth/revoke', form(tokens))).status, 200);
});

test('authorization requests are answered as the document says', async (t) => {
  const clientId = await registerClient(world);
  const statusOf = async (changes: Parameters) => {
    const { parameters } = authorizationRequest(clientId, changes);
    const query = form(parameters as Record<string, string>);
    return (await stack.site.get<string>(`/oauth/authorize?${query}`)).status;
  };
  t.is(await statusOf({}), 200);
  t.is(await statusOf({ resource: stack.apiRoot, scope: 'read' }), 200);
  for (const changes of [
    { scope: 'admin' },
    { response_mode: 'fragment' },
    { response_type: 'token' },
    { prompt: 'none' },
  ])
    t.is(await statusOf(changes), 303, JSON.stringify(changes));
  for (const changes of [{ client_id: 'app_unknown' }, { redirect_uri: 'https://other.example/' }])
    t.is(await statusOf(changes), 400, JSON.stringify(changes));
});

test('other methods are answered as the document says', async (t) => {
  const allowed = {
    '/oauth/register': 'POST',
    '/oauth/token': 'POST',
    '/oauth/revoke': 'POST',
    '/oauth/jwks': 'GET, HEAD',
  };
  for (const [path, methods] of Object.entries(allowed)) {
    const method = methods === 'POST' ? 'GET' : 'POST';
    const { status, headers, body } = await stack.site.request(method, path);
    t.is(status, 405, path);
    t.is(headers.get('allow'), methods);
    t.deepEqual(Object.keys(body), ['error', 'error_description']);
  }
  const page = await stack.site.request<string>('POST', '/oauth/authorize');
  t.is(page.status, 405);
  t.regex(page.headers.get('content-type') ?? '', /^text\/html/);
});

test('a rate limit is answered as the document says', async (t) => {
  const limits = { REGISTRATIONS_PER_ADDRESS_PER_HOUR: '1', TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE: '2' };
  const own = await startOAuthWorld(t, { environment: { ...limits, PAGES_PER_ADDRESS_PER_MINUTE: '3' } });
  const untilRefused = async (send: () => Promise<number>) => {
    for (let turn = 0; turn < 10; turn += 1) {
      const status = await send();
      if (status === 429) return status;
    }
    return 'never';
  };
  const { site } = own.stack;
  t.is(await untilRefused(async () => (await site.post('/oauth/register', {})).status), 429);
  t.is(await untilRefused(async () => (await site.post('/oauth/token', form({}))).status), 429);
  t.is(await untilRefused(async () => (await site.post('/oauth/revoke', form({}))).status), 429);
  t.is(await untilRefused(async () => (await site.get<string>('/oauth/authorize')).status), 429);
});
