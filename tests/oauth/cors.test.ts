import test from 'ava';
import {
  authorizationRequest,
  consentAction,
  openConsentPage,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack, browser } = world;

const origin = 'https://inspector.example';
const form = 'application/x-www-form-urlencoded';

type Sent = { method?: string; body?: string; headers?: Record<string, string> };

function send(path: string, { method = 'GET', body, headers }: Sent = {}): Promise<Response> {
  return fetch(stack.baseUrl + path, { method, body, headers: { origin, ...headers }, redirect: 'manual' });
}

function corsOf({ headers }: Response): Record<string, string> {
  const names = [...headers.keys()].filter((name) => name.startsWith('access-control-'));
  return Object.fromEntries(names.map((name) => [name, headers.get(name) ?? '']));
}

const open = {
  'access-control-allow-origin': '*',
  'access-control-expose-headers': 'Retry-After,WWW-Authenticate,X-Request-Id',
};

const sentForm = (body: string): Sent => ({ method: 'POST', body, headers: { 'content-type': form } });
const withSecret = { 'content-type': form, authorization: `Basic ${btoa('x:y')}` };

const answers: Record<string, [path: string, status: number, sent?: Sent]> = {
  'the key set': ['/oauth/jwks', 200],
  'the key set, asked wrongly (405)': ['/oauth/jwks', 405, { method: 'DELETE' }],
  'the server’s metadata': ['/.well-known/oauth-authorization-server', 200],
  'the host’s metadata': ['/.well-known/oauth-protected-resource', 200],
  'the API’s metadata': ['/.well-known/oauth-protected-resource/api/public/v1', 200],
  'the assistant server’s metadata': ['/.well-known/oauth-protected-resource/mcp', 200],
  'metadata of nothing (404)': ['/.well-known/oauth-protected-resource/other', 404],
  'a refused registration (400)': ['/oauth/register', 400, { method: 'POST', body: '{' }],
  'a registration that is too large (413)': [
    '/oauth/register',
    413,
    { method: 'POST', body: 'x'.repeat(2_100_000) },
  ],
  'registration, asked wrongly (405)': ['/oauth/register', 405],
  'a refused token request (400)': ['/oauth/token', 400, sentForm('grant_type=x')],
  'a token request of an unknown client (401)': [
    '/oauth/token',
    401,
    sentForm('grant_type=refresh_token&client_id=x'),
  ],
  'a token request with a secret (401)': ['/oauth/token', 401, { method: 'POST', headers: withSecret }],
  'the token endpoint, asked wrongly (405)': ['/oauth/token', 405],
  'a revocation': ['/oauth/revoke', 200, sentForm(`token=x&client_id=${clientId}`)],
  'a refused revocation (400)': ['/oauth/revoke', 400, sentForm('')],
  'revocation, asked wrongly (405)': ['/oauth/revoke', 405, { method: 'PUT' }],
};

for (const [what, [path, status, sent]] of Object.entries(answers)) {
  test(`${what}: read by pages of any origin, without credentials (RFC 9700 §2.6)`, async (t) => {
    const response = await send(path, sent);
    t.is(response.status, status);
    t.deepEqual(corsOf(response), open);
  });
}

const preflights = [
  ...['/oauth/register', '/oauth/token', '/oauth/revoke'].map((path) => [path, 'POST']),
  ...[
    '/oauth/jwks',
    '/.well-known/oauth-authorization-server',
    '/.well-known/oauth-protected-resource/mcp',
  ].map((path) => [path, 'GET,HEAD']),
];

for (const [path = '', methods = ''] of preflights) {
  test(`a preflight of ${path} is granted whatever it asks for, but credentials (RFC 9700 §2.6)`, async (t) => {
    const response = await send(path, {
      method: 'OPTIONS',
      headers: {
        'access-control-request-method': methods.slice(0, 4).replace(',', ''),
        'access-control-request-headers': 'content-type,mcp-protocol-version,authorization',
      },
    });
    t.is(response.status, 204);
    t.deepEqual(corsOf(response), {
      ...open,
      'access-control-allow-methods': methods,
      'access-control-allow-headers': 'content-type,mcp-protocol-version,authorization',
      'access-control-max-age': '86400',
    });
  });
}

test('no script of another origin reads what is asked or answered at the authorization endpoint (RFC 9700 §2.6)', async (t) => {
  const { parameters } = authorizationRequest(clientId);
  const authorizePath = endpoints.authorizeUrl(parameters).slice(stack.baseUrl.length);
  const interaction = consentAction(await openConsentPage(browser, authorizePath));
  const preflight = { method: 'OPTIONS', headers: { 'access-control-request-method': 'GET' } };
  const paths = [authorizePath, `${authorizePath}&scope=admin`, '/oauth/authorize', interaction];
  for (const path of [...paths, interaction.replace('interaction', 'authorize')]) {
    for (const sent of [{}, preflight, { method: 'POST', headers: { 'content-type': form } }]) {
      t.deepEqual(corsOf(await send(path, sent)), {}, `${sent.method} ${path}`);
    }
  }
});

test('no script of another origin reads the pages of a person (RFC 9700 §2.6)', async (t) => {
  for (const path of [
    '/',
    '/sign-in',
    '/sign-up',
    '/sign-out',
    '/settings',
    '/settings/apps',
    '/settings/api',
  ]) {
    const preflight = await send(path, {
      method: 'OPTIONS',
      headers: { 'access-control-request-method': 'POST' },
    });
    t.deepEqual([corsOf(await send(path)), corsOf(preflight)], [{}, {}], path);
  }
});
