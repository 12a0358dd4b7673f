import test from 'ava';
import { type AuthorizationOutcome, asked, keptHere, outcomeOf } from './authorization-outcome.ts';
import { defaultRedirectUri, type Parameters } from './oauth-endpoints.ts';
import { authorizationRequest, authorize, registerClient, startOAuthWorld } from './oauth-flow.ts';

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
const twice = (value: string): readonly string[] => [value, value];
const challenge = 'A'.repeat(43);

/** Each parameter missing, empty, doubled, over-long and with U+0000; and what OpenID would add. */
const cases: Record<string, [changes: Parameters, outcome: AuthorizationOutcome]> = {
  'without response_type': [{ response_type: undefined }, sentBack('invalid_request')],
  'with an empty response_type': [{ response_type: '' }, sentBack('invalid_request')],
  'with two response_types': [{ response_type: twice('code') }, sentBack('invalid_request')],
  'with U+0000 in response_type': [{ response_type: 'code\0' }, sentBack('unsupported_response_type')],
  'with a long response_type': [{ response_type: 'x'.repeat(4_000) }, sentBack('unsupported_response_type')],
  'with an empty response_mode': [{ response_mode: '' }, asked],
  'with two response_modes': [{ response_mode: twice('query') }, sentBack('invalid_request')],
  'with a long response_mode': [{ response_mode: 'x'.repeat(4_000) }, sentBack('unsupported_response_mode')],
  'without client_id': [{ client_id: undefined }, keptHere],
  'with an empty client_id': [{ client_id: '' }, keptHere],
  'with two client_ids': [{ client_id: twice(clientId) }, keptHere],
  'with U+0000 in client_id': [{ client_id: `${clientId}\0` }, keptHere],
  'with a long client_id': [{ client_id: 'x'.repeat(9_000) }, keptHere],
  'without redirect_uri': [{ redirect_uri: undefined }, keptHere],
  'with an empty redirect_uri': [{ redirect_uri: '' }, keptHere],
  'with two redirect_uris': [{ redirect_uri: twice(defaultRedirectUri) }, keptHere],
  'with U+0000 in redirect_uri': [{ redirect_uri: `${defaultRedirectUri}\0` }, keptHere],
  'with a long redirect_uri': [{ redirect_uri: `${defaultRedirectUri}${'x'.repeat(9_000)}` }, keptHere],
  'without scope': [{ scope: undefined }, asked],
  'with an empty scope': [{ scope: '' }, asked],
  'with blanks for a scope': [{ scope: '  ' }, asked],
  'with two scopes': [{ scope: ['read', 'write'] }, sentBack('invalid_request')],
  'with an unknown scope alone': [{ scope: 'admin' }, sentBack('invalid_scope')],
  'with OpenID’s scopes alone': [{ scope: 'openid profile email offline_access' }, sentBack('invalid_scope')],
  'with a known scope among others': [{ scope: 'openid admin read' }, asked],
  'with a scope in capitals': [{ scope: 'READ' }, sentBack('invalid_scope')],
  'with scopes between commas': [{ scope: 'read,write' }, sentBack('invalid_scope')],
  'with U+0000 in scope': [{ scope: 'read\0' }, sentBack('invalid_scope')],
  'with a long scope': [{ scope: 'x'.repeat(9_000) }, sentBack('invalid_scope')],
  'with a scope like a property': [{ scope: '__proto__ constructor' }, sentBack('invalid_scope')],
  'without state': [{ state: undefined }, asked],
  'with an empty state': [{ state: '' }, asked],
  'with two states': [{ state: ['a', 'b'] }, sentBack('invalid_request', '')],
  'with a long code_challenge': [{ code_challenge: 'x'.repeat(9_000) }, sentBack('invalid_request')],
  'with U+0000 in code_challenge': [{ code_challenge: `${challenge}\0` }, sentBack('invalid_request')],
  'without resource': [{ resource: undefined }, asked],
  'with an empty resource': [{ resource: '' }, asked],
  'with all names of our resource': [
    { resource: [stack.baseUrl, `${stack.baseUrl}/mcp/`, stack.apiRoot] },
    asked,
  ],
  'with our resource in capitals': [{ resource: stack.baseUrl.toUpperCase() }, asked],
  'with a foreign resource': [{ resource: 'https://evil.example' }, sentBack('invalid_target')],
  'with our resource and a foreign one': [
    { resource: [stack.baseUrl, 'https://evil.example'] },
    sentBack('invalid_target'),
  ],
  'with a resource below ours': [{ resource: `${stack.apiRoot}/tasks` }, sentBack('invalid_target')],
  'with a resource that is no URI': [{ resource: 'mcp' }, sentBack('invalid_target')],
  'with U+0000 in resource': [{ resource: `${stack.baseUrl}\0` }, sentBack('invalid_target')],
  'with a fragment in resource': [{ resource: `${stack.baseUrl}#x` }, sentBack('invalid_target')],
  'that must not ask': [{ prompt: 'none' }, sentBack('interaction_required')],
  'that wants to ask for more than we know': [{ prompt: 'login consent select_account create' }, asked],
  'with a request object (RFC 9101 §6.3)': [
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    sentBack('request_not_supported'),
  ],
  'with a request elsewhere (RFC 9101 §6.3)': [
    { request_uri: 'https://evil.example/request' },
    sentBack('request_uri_not_supported'),
  ],
  'with a pushed request (RFC 9126 §4)': [
    { request_uri: 'urn:ietf:params:oauth:request_uri:x' },
    sentBack('request_uri_not_supported'),
  ],
  'with whatever OpenID knows besides': [
    {
      nonce: 'x',
      max_age: '-1',
      acr_values: 'x',
      claims: '{',
      claims_locales: 'xx',
      display: 'x',
      id_token_hint: 'x',
      login_hint: 'x'.repeat(1_000),
      ui_locales: '!',
      registration: '{}',
      authorization_details: '[{}]',
      dpop_jkt: 'x',
      web_message_uri: 'https://evil.example',
    },
    asked,
  ],
  'with parameters nobody knows, twice (RFC 6749 §3.1)': [
    {
      vendor: ['a', 'b'],
      access_token: 'x',
      __proto__: 'x',
      constructor: 'x',
      'redirect_uri[]': 'https://evil.example',
    },
    asked,
  ],
};

function endOf({ status, error }: AuthorizationOutcome): string {
  if (error !== undefined) return `goes back as ${error}`;
  return status === 200 ? 'leads to the question' : 'is refused on a page';
}

for (const [what, [changes, outcome]] of Object.entries(cases)) {
  test(`a request ${what} ${endOf(outcome)} (RFC 6749 §4.1.2.1)`, async (t) => {
    const answer = await endpoints.authorize(request(changes), { accept: 'application/json' });
    t.deepEqual(outcomeOf(answer), outcome);
    if (outcome.target === undefined) t.regex(answer.headers.get('content-type') ?? '', /^text\/html/);
    else t.notRegex(answer.headers.get('location') ?? '', /#|[\r\n]/);
    t.is(answer.headers.get('cache-control'), 'no-store');
  });
}

test('of several faults the one that concerns the target decides: nobody is sent to a wrong place', async (t) => {
  const { body, headers } = await endpoints.authorize(
    request({ scope: 'admin', redirect_uri: 'https://evil.example' }),
  );
  t.is(headers.get('location'), null);
  t.true(body.includes('invalid_redirect_uri'));
});

const states: Record<string, string> = {
  'of one character': 'x',
  'of blanks, plus signs and percent signs': ' a + b ++ %20 %2B %',
  'of what ends a parameter': 'a&b=c;d#e?f/g',
  'of what ends a text or a header': '"\'<>\\`\r\nSet-Cookie: x=y\t',
  'of JSON': '{"a":[1,"ü"]}',
  'of emoji and other scripts': '😀👩‍👩‍👧 Ω ‮ ﷽ 漢字',
  'with U+0000': 'a\0b',
  'with a byte order mark and what is no character': '\ufeffa\ufffe\uffff\ufffd',
  'of letters that could be composed': 'é e\u0301 Å \u212b',
  'of base64': `${btoa('any bytes ÿþ')}+/==`,
  'of 10,000 characters': 'abcdefghij'.repeat(1_000),
};

for (const [what, state] of Object.entries(states)) {
  test(`a state ${what} comes back as it was, with a code and with an error (RFC 6749 §4.1.2)`, async (t) => {
    const granted = await authorize(world, request({ state }));
    const denied = await authorize(world, request({ state }), { decision: 'deny' });
    const refused = await endpoints.authorize(request({ state, scope: 'admin' }));
    for (const target of [granted, denied, new URL(refused.headers.get('location') ?? 'about:blank')]) {
      t.deepEqual(target.searchParams.getAll('state'), [state]);
    }
    t.true(granted.searchParams.has('code'));
  });
}

test('a state may be spelled with a plus or with %20 (RFC 6749 appendix B)', async (t) => {
  const url = endpoints.authorizeUrl(request({ state: undefined, scope: 'admin' }));
  for (const [spelled, state] of [
    ['a+b', 'a b'],
    ['a%20b', 'a b'],
    ['a%2Bb', 'a+b'],
    ['%61b', 'ab'],
    ["it's~(*)!", "it's~(*)!"],
    ['a=b=c', 'a=b=c'],
  ]) {
    const { location } = await browser.get(`${url}&state=${spelled}`);
    t.is(new URL(location ?? '').searchParams.get('state'), state ?? '');
  }
});

test.serial(
  'what is no UTF-8 is refused, since it could not come back as it was (RFC 6749 appendix B)',
  async (t) => {
    const path = endpoints.authorizeUrl(request({ state: undefined })).slice(stack.baseUrl.length);
    const head = `Host: ${new URL(stack.baseUrl).host}\r\nConnection: close`;
    for (const state of ['%ff', '%c3', '%ed%a0%80', '%f8%88%80%80%80', '%', '%4', '%zz', '%c0%af']) {
      const answer = await stack.site.raw(`GET ${path}&state=${state} HTTP/1.1\r\n${head}\r\n\r\n`);
      t.deepEqual([answer.status, answer.headers.get('location')], [400, null], state);
      t.regex(answer.headers.get('content-type') ?? '', /^text\/html/);
    }
    const bytes = Buffer.from(`GET ${path}&state=\xff\xfe HTTP/1.1\r\n${head}\r\n\r\n`, 'latin1');
    const answer = await stack.site.raw(bytes);
    t.deepEqual([answer.status, answer.headers.get('location')], [400, null], 'bytes that no address has');
  },
);

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
  t.is((await browser.get(`${url}&state=${'x'.repeat(40_000)}`)).status, 431);
});

test('the authorization endpoint is asked by GET alone, and by one spelling of its path (specification §4)', async (t) => {
  const body = new URLSearchParams(request({}) as Record<string, string>);
  for (const method of ['POST', 'PUT', 'PATCH', 'DELETE']) {
    const response = await fetch(`${stack.baseUrl}/oauth/authorize`, { method, body, redirect: 'manual' });
    t.deepEqual(
      [response.status, response.headers.get('allow'), response.headers.get('location')],
      [405, 'GET, HEAD', null],
    );
    t.regex(response.headers.get('content-type') ?? '', /^text\/html/);
  }
  const { status, headers } = await fetch(endpoints.authorizeUrl(request({})), { method: 'HEAD' });
  t.deepEqual([status, headers.get('location')], [200, null]);
});
