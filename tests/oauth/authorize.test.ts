import test from 'ava';
import { codeOf } from '#shared/errors/error-code.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { words } from '#tests/support/words.ts';
import { type Answer, createPkce, defaultRedirectUri, type Parameters } from './oauth-endpoints.ts';
import { authorizationRequest, authorize, registerClient, startOAuthWorld } from './oauth-flow.ts';

/** What became of an authorization request. `target` is missing where the browser was not redirected. */
type AuthorizationOutcome = {
  status: number;
  /** Where the browser is sent, without what was added to it. */
  target?: string;
  code?: string;
  error?: string;
  state?: string;
  iss?: string;
};

const named = ['code', 'error', 'state', 'iss'] as const;

/** Also of a redirect that a page answered with. Descriptions are left out: they are for people. */
function outcomeOf({ status, headers }: Pick<Answer, 'status' | 'headers'>): AuthorizationOutcome {
  const location = headers.get('location');
  if (location === null) return { status };
  const { searchParams } = new URL(location);
  const added = [...named, 'error_description', 'scope'];
  const [target = '', query = ''] = location.split('?');
  const own = query.split('&').filter((pair) => !added.includes(pair.split('=')[0] ?? ''));
  const outcome: AuthorizationOutcome = { status, target: [target, ...own].join('?') };
  for (const name of named) {
    const value = searchParams.get(name);
    if (value !== null) outcome[name] = value;
  }
  return outcome;
}

/** An error page. */
const keptHere: AuthorizationOutcome = { status: 400 };

/** The sign-in or consent page. */
const asked: AuthorizationOutcome = { status: 200 };

const world = await startOAuthWorld(undefined);
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());
const { endpoints, stack, browser } = world;

const sentBack = (error: string, state: string | undefined = 'state-1'): AuthorizationOutcome => ({
  status: 303,
  target: defaultRedirectUri,
  error,
  ...(state !== '' && { state }),
  iss: stack.baseUrl,
});
const request = (changes: Parameters) => authorizationRequest(clientId, changes).parameters;
const { challenge } = createPkce();
const foreign = 'https://evil.example';
const invalidRequest = sentBack('invalid_request');

type Case = [what: string, changes: Parameters, outcome: AuthorizationOutcome];

/** Each parameter missing, empty, repeated, over-long and with U+0000; and what OpenID would add. */
const cases: Case[] = [
  ['without response_type', { response_type: undefined }, invalidRequest],
  ['with an empty response_type', { response_type: '' }, invalidRequest],
  ['with two response_types', { response_type: ['code', 'code'] }, invalidRequest],
  ['with an empty response_mode', { response_mode: '' }, asked],
  ['with response_mode query', { response_mode: 'query' }, asked],
  ['with two response_modes', { response_mode: ['query', 'query'] }, invalidRequest],
  ['without client_id', { client_id: undefined }, keptHere],
  ['with an empty client_id', { client_id: '' }, keptHere],
  ['with two client_ids', { client_id: [clientId, clientId] }, keptHere],
  ['with U+0000 in client_id', { client_id: `${clientId}\0` }, keptHere],
  ['with a long client_id', { client_id: 'x'.repeat(9_000) }, keptHere],
  ['of an unknown client', { client_id: 'app_unknown' }, keptHere],
  ['without redirect_uri', { redirect_uri: undefined }, keptHere],
  ['with an empty redirect_uri', { redirect_uri: '' }, keptHere],
  ['with two redirect_uris', { redirect_uri: [defaultRedirectUri, defaultRedirectUri] }, keptHere],
  ['with U+0000 in redirect_uri', { redirect_uri: `${defaultRedirectUri}\0` }, keptHere],
  ['without scope', { scope: undefined }, asked],
  ['with an empty scope', { scope: '' }, asked],
  ['with two scopes', { scope: ['read', 'write'] }, invalidRequest],
  ['with an unknown scope alone', { scope: 'admin' }, sentBack('invalid_scope')],
  ['with OpenID’s scopes alone', { scope: 'openid profile email offline_access' }, sentBack('invalid_scope')],
  ['with offline_access alone', { scope: 'offline_access' }, sentBack('invalid_scope')],
  ['with a known scope among others', { scope: 'openid admin read' }, asked],
  ['with a scope in capitals', { scope: 'READ' }, sentBack('invalid_scope')],
  ['with scopes between commas', { scope: 'read,write' }, sentBack('invalid_scope')],
  ['with U+0000 in scope', { scope: 'read\0' }, sentBack('invalid_scope')],
  ['with a scope like a property', { scope: '__proto__ constructor' }, sentBack('invalid_scope')],
  ['without state', { state: undefined }, asked],
  ['with two states', { state: ['a', 'b'] }, sentBack('invalid_request', '')],
  [
    'without a code_challenge',
    { code_challenge: undefined, code_challenge_method: undefined },
    invalidRequest,
  ],
  ['with a method and no code_challenge', { code_challenge: undefined }, invalidRequest],
  ['with an empty code_challenge', { code_challenge: '' }, invalidRequest],
  ['with a short code_challenge', { code_challenge: challenge.slice(1) }, invalidRequest],
  ['with a long code_challenge', { code_challenge: 'x'.repeat(9_000) }, invalidRequest],
  ['with a code_challenge of other characters', { code_challenge: `${challenge.slice(1)}!` }, invalidRequest],
  ['with two code_challenges', { code_challenge: [challenge, challenge] }, invalidRequest],
  ['without a method, which means plain', { code_challenge_method: undefined }, invalidRequest],
  ['with the method plain', { code_challenge_method: 'plain' }, invalidRequest],
  ['with a method in the wrong case', { code_challenge_method: 's256' }, invalidRequest],
  ['with two methods', { code_challenge_method: ['S256', 'plain'] }, invalidRequest],
  ['with an empty resource', { resource: '' }, asked],
  [
    'with all names of our resource',
    { resource: [stack.baseUrl, `${stack.baseUrl}/mcp/`, stack.apiRoot, stack.baseUrl.toUpperCase()] },
    asked,
  ],
  ['with a foreign resource', { resource: foreign }, sentBack('invalid_target')],
  ['with our resource and a foreign one', { resource: [stack.baseUrl, foreign] }, sentBack('invalid_target')],
  ['with a resource below ours', { resource: `${stack.apiRoot}/tasks` }, sentBack('invalid_target')],
  ['with a resource that is no URI', { resource: 'mcp' }, sentBack('invalid_target')],
  ['with a fragment in resource', { resource: `${stack.baseUrl}#x` }, sentBack('invalid_target')],
  ['that must not ask', { prompt: 'none' }, sentBack('interaction_required')],
  ['with other prompts', { prompt: 'login consent select_account create' }, asked],
  ['with a request object', { request: 'eyJhbGciOiJub25lIn0.e30.' }, sentBack('request_not_supported')],
  ['with a request URI', { request_uri: `${foreign}/request` }, sentBack('request_uri_not_supported')],
  [
    'with parameters of OpenID',
    { nonce: 'x', max_age: '-1', acr_values: 'x', claims: '{', id_token_hint: 'x', registration: '{}' },
    asked,
  ],
  [
    'with unknown parameters, twice',
    { vendor: ['a', 'b'], __proto__: 'x', constructor: 'x', 'redirect_uri[]': foreign },
    asked,
  ],
  ...[
    'token',
    'id_token',
    'none',
    'code token',
    'code code',
    'CODE',
    'code ',
    'code\0',
    'x'.repeat(4_000),
  ].map(
    (type): Case => [
      `with response_type ${JSON.stringify(type.slice(0, 20))}`,
      { response_type: type },
      sentBack('unsupported_response_type'),
    ],
  ),
  ...['fragment', 'form_post', 'web_message', 'jwt', 'query.jwt', 'exact_query', 'Query', 'x'].map(
    (mode): Case => [
      `with response_mode ${mode}`,
      { response_mode: mode },
      sentBack('unsupported_response_mode'),
    ],
  ),
];

function endOf({ status, error }: AuthorizationOutcome): string {
  if (error !== undefined) return `goes back as ${error}`;
  return status === 200 ? 'leads to the question' : 'is refused on a page';
}

for (const [what, changes, outcome] of cases) {
  test(`a request ${what} ${endOf(outcome)} (RFC 6749 §4.1.2.1)`, async (t) => {
    const answer = await endpoints.authorize(request(changes), { accept: 'application/json' });
    t.deepEqual(outcomeOf(answer), outcome);
    if (outcome.target === undefined) t.regex(answer.headers.get('content-type') ?? '', /^text\/html/);
    else t.notRegex(answer.headers.get('location') ?? '', /#|[\r\n]/);
    t.is(answer.headers.get('cache-control'), 'no-store');
  });
}

test('with a refused response_mode any other error is sent by query, too (specification §4)', async (t) => {
  for (const fault of [{ scope: 'admin' }, { response_type: 'token' }, { code_challenge: undefined }]) {
    const answer = await endpoints.authorize(request({ ...fault, response_mode: 'fragment' }));
    t.deepEqual({ ...outcomeOf(answer), error: '' }, sentBack(''));
    t.notRegex(answer.headers.get('location') ?? '', /#/);
  }
});

const states: Record<string, string> = {
  'of one character': 'x',
  'of blanks, plus signs and percent signs': ' a + b ++ %20 %2B %',
  'of delimiters': 'a&b=c;d#e?f/g"\'<>\\`\r\nSet-Cookie: x=y\t',
  'of JSON': '{"a":[1,"ü"]}',
  'of emoji, other scripts and U+0000': '😀👩‍👩‍👧 Ω ‮ ﷽ 漢字 é e\u0301 \ufeff\uffff\0',
  'of 10,000 characters': 'abcdefghij'.repeat(1_000),
};

for (const [what, state] of Object.entries(states)) {
  test(`a state ${what} comes back as it was, with a code and with an error (RFC 6749 §4.1.2)`, async (t) => {
    const granted = await authorize(world, request({ state }));
    const denied = await authorize(world, request({ state }), { decision: 'deny' });
    const refused = await endpoints.authorize(request({ state, scope: 'admin' }));
    for (const target of [granted, denied, new URL(refused.headers.get('location') ?? 'about:blank')])
      t.deepEqual(target.searchParams.getAll('state'), [state]);
    t.deepEqual([...granted.searchParams.keys()].sort(), ['code', 'iss', 'state']);
  });
}

test('a state may be spelled with a plus or with %20 (RFC 6749 appendix B)', async (t) => {
  const url = endpoints.authorizeUrl(request({ state: undefined, scope: 'admin' }));
  const spellings = { 'a+b': 'a b', 'a%20b': 'a b', 'a%2Bb': 'a+b', '%61b': 'ab', "it's~(*)!": "it's~(*)!" };
  for (const [spelled, state] of Object.entries(spellings)) {
    const { location } = await browser.get(`${url}&state=${spelled}`);
    t.is(new URL(location ?? '').searchParams.get('state'), state);
  }
});

test.serial('a request that is not UTF-8 is refused on a page (RFC 6749 appendix B)', async (t) => {
  const path = endpoints.authorizeUrl(request({ state: undefined })).slice(stack.baseUrl.length);
  const head = `Host: ${new URL(stack.baseUrl).host}\r\nConnection: close`;
  for (const state of ['%ff', '%c3', '%ed%a0%80', '%', '%4', '%zz', '%c0%af', '\xff\xfe']) {
    const bytes = Buffer.from(`GET ${path}&state=${state} HTTP/1.1\r\n${head}\r\n\r\n`, 'latin1');
    const answer = await stack.site.raw(bytes);
    t.deepEqual([answer.status, answer.headers.get('location')], [400, null], state);
  }
});

test('what could not be sent back in a header is refused before anybody is asked', async (t) => {
  const url = endpoints.authorizeUrl(request({ state: undefined }));
  for (const [name, value] of [
    ['state', "'".repeat(5_000)],
    ['state', 'x'.repeat(14_000)],
    ['scope', '!'.repeat(9_000)],
  ]) {
    const { status, location, text } = await browser.get(`${url}&${name}=${value}`);
    t.deepEqual([status, location], [400, null]);
    t.true(text.includes('too long'));
  }
  // The server closes the connection, and the response may be lost with it: then the request is repeated.
  const answer = await waitFor(() =>
    browser.get(`${url}&state=${'x'.repeat(40_000)}`).catch((error: unknown) => {
      if (codeOf(error) !== 'ECONNRESET') throw error;
      return undefined;
    }),
  );
  t.is(answer.status, 431);
});

test('the authorization endpoint answers GET and HEAD alone (specification §4)', async (t) => {
  const body = new URLSearchParams(request({}) as Record<string, string>);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${stack.baseUrl}/oauth/authorize`, { method, body, redirect: 'manual' });
    t.deepEqual([response.status, response.headers.get('allow')], [405, 'GET, HEAD']);
  }
  t.is((await fetch(endpoints.authorizeUrl(request({})), { method: 'HEAD' })).status, 200);
});

async function outcomesOf(clientId: string, redirectUris: readonly string[]) {
  const outcomes: Record<string, unknown> = {};
  for (const uri of redirectUris) {
    const { parameters } = authorizationRequest(clientId, { redirect_uri: uri });
    outcomes[uri] = outcomeOf(await endpoints.authorize(parameters));
  }
  return outcomes;
}

function each<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const almostRegistered = [
  ...['/', 'k', '?', '?next=https://evil.example', '#', '#fragment', ' ', '\0', '%00'].map(
    (end) => `${defaultRedirectUri}${end}`,
  ),
  ` ${defaultRedirectUri}`,
  defaultRedirectUri.slice(0, -1),
  ...words(`https://app.example.com/Callback https://app.example.com//callback
    https://app.example.com/./callback https://app.example.com/x/../callback
    https://app.example.com/%63allback https://app.example.com:443/callback
    https://APP.example.com/callback https://app.example.com./callback HTTPS://app.example.com/callback
    http://app.example.com/callback https:app.example.com/callback https:\\\\app.example.com/callback
    https://app.example.com.evil.example/callback https://app.example.com@evil.example/callback
    https://evil.example\\@app.example.com/callback https://evil.example //evil.example/callback /callback
    javascript:alert(1)//https://app.example.com/callback data:text/html,<script>alert(1)</script>`),
];

test('a redirect_uri that differs in anything is refused on a page (RFC 9700 §2.1, §4.1.3)', async (t) => {
  const clientId = await registerClient(world);
  t.deepEqual(await outcomesOf(clientId, almostRegistered), each(almostRegistered, keptHere));
  t.deepEqual(await outcomesOf(clientId, [defaultRedirectUri]), { [defaultRedirectUri]: asked });
});

test('no other error redirects to an unregistered redirect_uri (RFC 6749 §4.1.2.1)', async (t) => {
  const clientId = await registerClient(world);
  const faults: Parameters[] = [
    { scope: 'admin' },
    { response_type: 'token' },
    { response_type: undefined },
    { response_mode: 'fragment' },
    { code_challenge: undefined },
    { resource: 'https://evil.example' },
    { prompt: 'none' },
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    { request_uri: 'https://evil.example/request' },
    { state: ['a', 'b'] },
    { client_id: 'app_unknown' },
    { client_id: [clientId, 'app_other'] },
    { redirect_uri: ['https://evil.example', defaultRedirectUri] },
    { redirect_uri: [defaultRedirectUri, 'https://evil.example'] },
  ];
  for (const fault of faults) {
    const changes = { redirect_uri: 'https://evil.example', ...fault };
    const answer = await endpoints.authorize(authorizationRequest(clientId, changes).parameters);
    t.deepEqual(outcomeOf(answer), keptHere, JSON.stringify(fault));
    t.notRegex(answer.body, /http-equiv|evil\.example/);
  }
});

for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
  test(`an app on this device may listen on any port of ${host} only (RFC 8252 §7.3)`, async (t) => {
    const clientId = await registerClient(world, `http://${host}:8787/cb`);
    const ports = [':8787', '', ':1', ':65535'].map((port) => `http://${host}${port}/cb`);
    const others = ['127.0.0.1', 'localhost', '[::1]'].filter((other) => other !== host);
    const refused = words(`${others.map((other) => `http://${other}:8787/cb`).join(' ')} http://${host}:8787/
      http://${host}:8787/cb/ http://${host}:8787/CB http://${host}:8787/cb?x=1 http://${host}:8787/cb#x
      http://${host}:65536/cb http://${host}:-1/cb https://${host}:8787/cb HTTP://${host}:8787/cb
      http://user@${host}:8787/cb http://${host}:8787@evil.example/cb http://${host}:8787\\@evil.example/cb
      http://${host}.evil.example:8787/cb http://127.1:8787/cb http://2130706433:8787/cb
      http://127.0.0.2:8787/cb http://[::ffff:127.0.0.1]:8787/cb http://[0:0:0:0:0:0:0:1]:8787/cb
      http://LOCALHOST:8787/cb`);
    t.deepEqual(await outcomesOf(clientId, ports), each(ports, asked));
    t.deepEqual(await outcomesOf(clientId, refused), each(refused, keptHere));
  });
}

test('a port is free on the loopback interface alone (RFC 9700 §4.1.3)', async (t) => {
  const uris = ['https://app.example.com/callback', 'http://localhost/cb', 'cursor://host/cb'];
  const { body } = await endpoints.register({ redirect_uris: uris });
  const others = ['https://app.example.com:8443/callback', 'https://localhost:1/cb', 'cursor://host:1/cb'];
  t.deepEqual(await outcomesOf(String(body.client_id), others), each(others, keptHere));
  t.deepEqual(await outcomesOf(String(body.client_id), uris), each(uris, asked));
});

test('a registered query is kept, not extended, and plants no code (RFC 6749 §3.1.2)', async (t) => {
  const uri = `${defaultRedirectUri}?tenant=7&code=planted&state=planted&iss=https://evil.example`;
  const clientId = await registerClient(world, uri);
  const { parameters } = authorizationRequest(clientId, { redirect_uri: uri });
  const { searchParams } = await authorize(world, parameters);
  t.is(searchParams.get('tenant'), '7');
  t.deepEqual([searchParams.getAll('state'), searchParams.getAll('iss')], [['state-1'], [stack.baseUrl]]);
  t.is(searchParams.getAll('code').length, 1);
  t.not(searchParams.get('code'), 'planted');
  const others = [defaultRedirectUri, `${uri}&x=1`, uri.replace('7', '8')];
  t.deepEqual(await outcomesOf(clientId, others), each(others, keptHere));
});
