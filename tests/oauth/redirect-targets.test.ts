import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { asked, keptHere, outcomeOf } from './authorization-outcome.ts';
import { defaultRedirectUri, type Parameters } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  authorize,
  obtainCode,
  openConsentPage,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;

async function outcomesOf(clientId: string, redirectUris: readonly string[], changes: Parameters = {}) {
  const outcomes: Record<string, unknown> = {};
  for (const uri of redirectUris) {
    const { parameters } = authorizationRequest(clientId, { ...changes, redirect_uri: uri });
    outcomes[uri] = outcomeOf(await endpoints.authorize(parameters));
  }
  return outcomes;
}

function each<Value>(names: readonly string[], value: Value): Record<string, Value> {
  return Object.fromEntries(names.map((name) => [name, value]));
}

const almostRegistered = [
  `${defaultRedirectUri}/`,
  `${defaultRedirectUri}k`,
  defaultRedirectUri.slice(0, -1),
  `${defaultRedirectUri}?`,
  `${defaultRedirectUri}?next=https://evil.example`,
  `${defaultRedirectUri}#`,
  `${defaultRedirectUri}#fragment`,
  `${defaultRedirectUri} `,
  ` ${defaultRedirectUri}`,
  `${defaultRedirectUri}\0`,
  `${defaultRedirectUri}%00`,
  'https://app.example.com/Callback',
  'https://app.example.com//callback',
  'https://app.example.com/./callback',
  'https://app.example.com/x/../callback',
  'https://app.example.com/%63allback',
  'https://app.example.com:443/callback',
  'https://APP.example.com/callback',
  'https://app.example.com./callback',
  'HTTPS://app.example.com/callback',
  'http://app.example.com/callback',
  'https:app.example.com/callback',
  'https:\\\\app.example.com/callback',
  'https://app.example.com.evil.example/callback',
  'https://evil.example/app.example.com/callback',
  'https://app.example.com@evil.example/callback',
  'https://evil.example\\@app.example.com/callback',
  'https://evil.example',
  '//evil.example/callback',
  '/callback',
  'javascript:alert(1)//https://app.example.com/callback',
  'data:text/html,<script>alert(1)</script>',
];

test('a redirect_uri that differs from the registered one in anything is refused on a page (RFC 9700 §2.1, §4.1.3)', async (t) => {
  const clientId = await registerClient(world);
  t.deepEqual(await outcomesOf(clientId, almostRegistered), each(almostRegistered, keptHere));
  t.deepEqual(await outcomesOf(clientId, [defaultRedirectUri]), { [defaultRedirectUri]: asked });
});

test('no other fault of a request opens a way to a redirect_uri that is not registered (RFC 6749 §4.1.2.1)', async (t) => {
  const clientId = await registerClient(world);
  const faults: Parameters[] = [
    { scope: 'admin' },
    { response_type: 'token' },
    { response_type: undefined },
    { response_mode: 'fragment' },
    { response_mode: 'form_post' },
    { code_challenge: undefined },
    { resource: 'https://evil.example' },
    { prompt: 'none' },
    { request: 'eyJhbGciOiJub25lIn0.e30.' },
    { request_uri: 'https://evil.example/request' },
    { state: ['a', 'b'] },
    { web_message_uri: 'https://evil.example' },
    { client_id: 'app_unknown' },
    { client_id: [clientId, 'app_other'] },
    { redirect_uri: ['https://evil.example', defaultRedirectUri] },
    { redirect_uri: [defaultRedirectUri, 'https://evil.example'] },
  ];
  for (const fault of faults) {
    const changes = { redirect_uri: 'https://evil.example', ...fault };
    const answer = await endpoints.authorize(authorizationRequest(clientId, changes).parameters);
    t.deepEqual(outcomeOf(answer), keptHere, JSON.stringify(fault));
    t.regex(answer.headers.get('content-type') ?? '', /^text\/html/);
    t.notRegex(answer.body, /http-equiv|evil\.example/);
  }
});

test('without a client or a redirect_uri, and for a client nobody knows, there is only a page (RFC 9700 §4.11.2)', async (t) => {
  const clientId = await registerClient(world);
  const requests: Parameters[] = [
    { client_id: undefined },
    { client_id: '' },
    { client_id: 'app_unknown' },
    { client_id: `${clientId} ` },
    { client_id: clientId.toUpperCase() },
    { client_id: `${clientId}\0` },
    { redirect_uri: undefined },
    { redirect_uri: '' },
  ];
  for (const changes of requests) {
    const answer = await endpoints.authorize(authorizationRequest(clientId, changes).parameters);
    t.deepEqual(outcomeOf(answer), keptHere, JSON.stringify(changes));
  }
});

for (const host of ['127.0.0.1', 'localhost', '[::1]']) {
  test(`an app on this device may listen on any port of ${host}, and nowhere else (RFC 8252 §7.3)`, async (t) => {
    const clientId = await registerClient(world, `http://${host}:8787/cb`);
    const allowed = [
      `http://${host}:8787/cb`,
      `http://${host}/cb`,
      `http://${host}:1/cb`,
      `http://${host}:65535/cb`,
    ];
    const others = ['127.0.0.1', 'localhost', '[::1]'].filter((other) => other !== host);
    const refused = [
      ...others.map((other) => `http://${other}:8787/cb`),
      `http://${host}:8787/`,
      `http://${host}:8787/cb/`,
      `http://${host}:8787/CB`,
      `http://${host}:8787/cb?x=1`,
      `http://${host}:8787/cb#x`,
      `http://${host}:65536/cb`,
      `http://${host}:-1/cb`,
      `https://${host}:8787/cb`,
      `HTTP://${host}:8787/cb`,
      `http://user@${host}:8787/cb`,
      `http://${host}:8787@evil.example/cb`,
      `http://${host}:8787\\@evil.example/cb`,
      `http://${host}.evil.example:8787/cb`,
      'http://127.1:8787/cb',
      'http://2130706433:8787/cb',
      'http://0x7f000001:8787/cb',
      'http://127.0.0.2:8787/cb',
      'http://0.0.0.0:8787/cb',
      'http://[::ffff:127.0.0.1]:8787/cb',
      'http://[0:0:0:0:0:0:0:1]:8787/cb',
      'http://LOCALHOST:8787/cb',
    ];
    t.deepEqual(await outcomesOf(clientId, allowed), each(allowed, asked));
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

test('http elsewhere, and schemes that a browser acts upon, can’t be registered (RFC 9700 §2.6)', async (t) => {
  const uris = [
    'http://app.example.com/callback',
    'http://127.0.0.1.evil.example/cb',
    'http://localhost.evil.example/cb',
    'http://127.0.0.2/cb',
    'http://10.0.0.1/cb',
    'http://[::2]/cb',
    'http://2130706433/cb',
    'javascript:alert(document.domain)',
    'JavaScript:alert(1)',
    'java\nscript:alert(1)',
    'vbscript:msgbox',
    'data:text/html,x',
    'file:///etc/passwd',
    'blob:https://app.example.com/1',
    'about:blank',
    'ws://app.example.com/',
    'ftp://app.example.com/',
    'view-source:https://app.example.com/',
    'https://app.example.com/callback#fragment',
    'https://user:password@app.example.com/callback',
    'https://*.example.com/callback',
    'https:///callback',
    '//app.example.com/callback',
    '/callback',
    'callback',
  ];
  for (const uri of uris) {
    for (const redirectUris of [[uri], [defaultRedirectUri, uri]]) {
      const { status, body } = await endpoints.register({ redirect_uris: redirectUris });
      t.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], uri);
    }
  }
});

test('a scheme that opens a browser, and a URI that carries an address of the web, can’t be registered', async (t) => {
  const launchers = ['microsoft-edge', 'microsoft-edge-https', 'x-safari-https', 'googlechromes', 'firefox'];
  const uris = [
    ...launchers.flatMap((scheme) => [`${scheme}:https://evil.example/cb`, `${scheme}://evil.example/cb`]),
    'firefox://open-url?url=evil.example',
    'brave://open-url?url=evil.example',
    'opera://evil.example/cb',
    'touch-https://evil.example/cb',
    'anybrowser:https://evil.example/cb',
    'anybrowser://open?url=https%3A%2F%2Fevil.example%2Fcb',
    'anybrowser://open?url=%2568ttp%253a//evil.example/cb',
  ];
  for (const uri of uris) {
    const { status, body } = await endpoints.register({ redirect_uris: [uri] });
    t.deepEqual([status, body.error], [400, 'invalid_redirect_uri'], uri);
  }
  const apps = ['claude:/cb', 'cursor://host/cb', 'vscode-insiders://vendor.extension/cb', 'operator:/cb'];
  for (const uri of [...apps, 'com.example.httpclient:/cb'])
    t.is((await endpoints.register({ redirect_uris: [uri] })).status, 201, uri);
});

test('a registered query is kept and can’t be extended, and gives no way to plant a code (RFC 6749 §3.1.2)', async (t) => {
  const uri = `${defaultRedirectUri}?tenant=7&code=planted&state=planted`;
  const clientId = await registerClient(world, uri);
  const { redemption } = await obtainCode(world, { clientId, parameters: { redirect_uri: uri } });
  t.not(redemption.code, 'planted');
  const { parameters } = authorizationRequest(clientId, { redirect_uri: uri });
  const target = await authorize(world, parameters);
  t.is(target.searchParams.get('tenant'), '7');
  t.deepEqual(target.searchParams.getAll('state'), ['state-1']);
  t.is(target.searchParams.getAll('code').length, 1);
  const others = [defaultRedirectUri, `${uri}&x=1`, uri.replace('7', '8')];
  t.deepEqual(await outcomesOf(clientId, others), each(others, keptHere));
});

test('whoever sends a form is redirected with 303, which never sends it on (RFC 9700 §4.12)', async (t) => {
  const { owner } = await addOwner(stack);
  const browser = createPageBrowser(stack.baseUrl);
  const clientId = await registerClient(world);
  const request = () => endpoints.authorizeUrl(authorizationRequest(clientId).parameters);
  const signInPage = await browser.get(request());
  const { email, password } = owner;
  const answers = [await browser.submit(signInPage, '/sign-in', { email, password })];
  for (const button of ['Allow', 'Don’t allow']) {
    const page = await openConsentPage(browser, request());
    const action = page.forms.map((form) => form.action).find((path) => path.startsWith('/oauth/')) ?? '';
    const decided = await browser.submit(page, action, {}, { button });
    answers.push(decided, await browser.get(decided.location ?? ''));
  }
  answers.push(
    await browser.get(endpoints.authorizeUrl(authorizationRequest(clientId, { scope: 'x' }).parameters)),
  );
  t.deepEqual(
    answers.map(({ status }) => status),
    Array(6).fill(303),
  );
  t.true(answers.every(({ location }) => location !== null));
});

test('signing in leads back to pages of ours alone (RFC 9700 §4.11.2)', async (t) => {
  const targets = [
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/oauth/interaction/../../evil',
    '/oauth/interaction//evil.example',
    '/oauth/authorize?client_id=x',
    '/settings//evil.example',
    '/settings/..//evil.example',
    '/settings\n',
    '/settingsx',
    'javascript:alert(1)',
    `${stack.baseUrl}@evil.example/settings`,
    'settings',
    '',
  ];
  for (const target of targets) {
    const answer = await world.browser.get(`/sign-in?${new URLSearchParams({ return_to: target })}`);
    t.deepEqual([answer.status, answer.location], [303, '/settings'], target);
  }
});
