import test from 'ava';
import { authorizationRequest, authorize, registerClient, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const world = await startOAuthWorld(undefined);
test.after.always(() => world.stack.close());

/** What some client would write of its own, and most would not. */
const redirectUris = [
  'https://app.example.com',
  'https://app.example.com:443/callback',
  'https://app.example.com/callback?tenant=a%20b&open&next=/settings?tab=1',
  'https://app.example.com/callback?tenant=a+b',
  'https://app.example.com/~user/%7Euser/callback',
  'https://app.example.com/callback?',
  'http://localhost/callback?window=1',
  'com.example.app:/callback?window=1',
  'com.example.app:callback',
  'com.example.app://callback',
];
/** Everything that some step on the way could read as something else. */
const state = 'x y+z%20&a=b"<ü€𐐷/?#';

for (const redirectUri of redirectUris) {
  test(`the answer comes to ${redirectUri} as it was registered (RFC 6749 §3.1.2)`, async (t) => {
    const clientId = await registerClient(world, redirectUri);
    const { parameters, verifier } = authorizationRequest(clientId, { redirect_uri: redirectUri, state });
    const { href, searchParams } = await authorize(world, parameters);
    const [prefix = '', answer] = href.split(/(?=code=)/);
    t.is(prefix.replace(/[?&]$/, ''), new URL(redirectUri).href.replace(/\?$/, ''));
    t.deepEqual([...new URLSearchParams(answer).keys()], ['code', 'state', 'iss']);
    t.is(searchParams.get('state'), state);

    const redemption = {
      grant_type: 'authorization_code',
      code: searchParams.get('code') ?? '',
      client_id: clientId,
      redirect_uri: redirectUri,
      code_verifier: verifier,
    };
    t.is((await world.endpoints.token(redemption)).status, 200);
  });
}

test('an error comes to the same address as a code', async (t) => {
  const redirectUri = 'https://app.example.com/callback?tenant=a%20b';
  const clientId = await registerClient(world, redirectUri);
  const { parameters } = authorizationRequest(clientId, { redirect_uri: redirectUri });
  const refused = await world.endpoints.authorize({ ...parameters, scope: 'admin' });
  t.true(refused.headers.get('location')?.startsWith(`${redirectUri}&error=invalid_scope&`));
  const denied = await authorize(world, parameters, { decision: 'deny' });
  t.true(denied.href.startsWith(`${redirectUri}&error=access_denied&`));
});
