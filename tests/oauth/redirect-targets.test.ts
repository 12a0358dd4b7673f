import test from 'ava';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { asked, keptHere, outcomeOf } from './authorization-outcome.ts';
import { defaultRedirectUri, type Parameters } from './oauth-endpoints.ts';
import {
  addOwner,
  authorizationRequest,
  authorize,
  consentAction,
  openConsentPage,
  registerClient,
  startOAuthWorld,
} from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
test.after.always(() => world.stack.close());
const { endpoints, stack } = world;
const words = (text: string): string[] => text.trim().split(/\s+/);

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
  ...words(`https://app.example.com/Callback https://app.example.com//callback https://app.example.com/./callback
    https://app.example.com/x/../callback https://app.example.com/%63allback https://app.example.com:443/callback
    https://APP.example.com/callback https://app.example.com./callback HTTPS://app.example.com/callback
    http://app.example.com/callback https:app.example.com/callback https:\\\\app.example.com/callback
    https://app.example.com.evil.example/callback https://app.example.com@evil.example/callback
    https://evil.example\\@app.example.com/callback https://evil.example //evil.example/callback /callback
    javascript:alert(1)//https://app.example.com/callback data:text/html,<script>alert(1)</script>`),
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
  test(`an app on this device may listen on any port of ${host}, and nowhere else (RFC 8252 §7.3)`, async (t) => {
    const clientId = await registerClient(world, `http://${host}:8787/cb`);
    const ports = [':8787', '', ':1', ':65535'].map((port) => `http://${host}${port}/cb`);
    const others = ['127.0.0.1', 'localhost', '[::1]'].filter((other) => other !== host);
    const refused = words(`${others.map((other) => `http://${other}:8787/cb`).join(' ')} http://${host}:8787/
      http://${host}:8787/cb/ http://${host}:8787/CB http://${host}:8787/cb?x=1 http://${host}:8787/cb#x
      http://${host}:65536/cb http://${host}:-1/cb https://${host}:8787/cb HTTP://${host}:8787/cb
      http://user@${host}:8787/cb http://${host}:8787@evil.example/cb http://${host}:8787\\@evil.example/cb
      http://${host}.evil.example:8787/cb http://127.1:8787/cb http://2130706433:8787/cb http://127.0.0.2:8787/cb
      http://[::ffff:127.0.0.1]:8787/cb http://[0:0:0:0:0:0:0:1]:8787/cb http://LOCALHOST:8787/cb`);
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

test('a registered query is kept and can’t be extended, and gives no way to plant a code (RFC 6749 §3.1.2)', async (t) => {
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

test('whoever sends a form is redirected with 303, which never sends it on (RFC 9700 §4.12)', async (t) => {
  const { owner } = await addOwner(stack);
  const browser = createPageBrowser(stack.baseUrl);
  const clientId = await registerClient(world);
  const request = () => endpoints.authorizeUrl(authorizationRequest(clientId).parameters);
  const { email, password } = owner;
  const answers = [await browser.submit(await browser.get(request()), '/sign-in', { email, password })];
  for (const button of ['Allow', 'Don’t allow']) {
    const page = await openConsentPage(browser, request());
    const decided = await browser.submit(page, consentAction(page), {}, { button });
    answers.push(decided, await browser.get(decided.location ?? ''));
  }
  t.deepEqual(
    answers.map(({ status, location }) => [status, location !== null]),
    Array(5).fill([303, true]),
  );
});
