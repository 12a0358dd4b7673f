import test from 'ava';
import { sweepExpired } from '#auth-server/sweep/expired-records.ts';
import { auditRetentionSeconds, openAsAuthServer } from '#tests/auth/sweep-world.ts';
import { defaultRedirectUri } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, refreshRequest, registerClient, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';

const week = 7 * 86_400_000;
// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const { endpoints: openEndpoints, stack: openStack } = await startOAuthWorld(undefined);
test.after.always(() => openStack.close());

test('an IPv6 caller has the registrations of its whole network, and no more by changing its address in it', async (t) => {
  const environment = { REGISTRATIONS_PER_ADDRESS_PER_HOUR: '2', TRUSTED_PROXY_HOPS: '1' };
  const { endpoints } = await startOAuthWorld(t, { environment });
  const from = async (address: string) =>
    (await endpoints.register(undefined, { 'x-forwarded-for': address })).status;
  t.is(await from('2001:db8:0:1::1'), 201);
  t.is(await from('2001:db8:0:1:ffff:ffff:ffff:ffff'), 201);
  for (const address of ['2001:db8:0:1::2', '2001:DB8:0:1:0:0:0:3', '2001:db8::1:8000:0:0:0'])
    t.is(await from(address), 429, address);
  t.is(await from('2001:db8:0:2::1'), 201);
  t.is(await from('203.0.113.1'), 201);
});

test('what is kept of a registration is bounded, whatever was sent', async (t) => {
  const long = (start: string, length: number) => start.padEnd(length, 'x');
  const uris = Array.from({ length: 20 }, (_, index) => long(`https://a.example/${index}/`, 2_048));
  const page = long('https://a.example/', 2_048);
  const { status, body } = await openEndpoints.register({
    redirect_uris: uris,
    client_name: '😀'.repeat(200),
    software_id: '😀'.repeat(200),
    software_version: '😀'.repeat(200),
    client_uri: page,
    logo_uri: page,
    tos_uri: page,
    policy_uri: page,
    contacts: Array.from({ length: 500 }, (_, index) => `${index}`.padStart(180, 'x').concat('@a.example')),
    jwks: { keys: [{ kty: 'RSA', n: 'x'.repeat(400_000) }] },
    software_statement: 'x'.repeat(400_000),
    vendor: { anything: 'x'.repeat(400_000) },
  });
  t.is(status, 201);
  const [row] = await openStack.sql<{ bytes: number }>`
    select octet_length(client::text) as bytes from auth.oauth_client client where client_id = ${String(body.client_id)}`;
  t.true((row?.bytes ?? 0) > 40_000 && (row?.bytes ?? 0) < 64_000, String(row?.bytes));
});

test('a client that nobody connected is unknown after a week, is told so with 401, and can register again', async (t) => {
  const world = await startOAuthWorld(t, { now: new Date() });
  const { endpoints, stack } = world;
  const database = await openAsAuthServer(stack.databaseUrl);
  t.teardown(database.close);
  const unused = await registerClient(world);
  const app = await connectApp(world);
  const refresh = { grant_type: 'refresh_token', refresh_token: 'x', client_id: unused };
  t.like(await endpoints.token(refresh), { status: 400, body: { error: 'invalid_grant' } });

  stack.clock.advance(week - 1_000);
  await sweepExpired(database.em, stack.clock, { auditRetentionSeconds });
  t.like(await endpoints.token(refresh), { status: 400, body: { error: 'invalid_grant' } });
  stack.clock.advance(1_000);
  await sweepExpired(database.em, stack.clock, { auditRetentionSeconds });
  t.like(await endpoints.token(refresh), { status: 401, body: { error: 'invalid_client' } });
  t.is((await endpoints.token(refreshRequest(app))).status, 200, 'a connected one stays');
  t.is((await endpoints.register({ redirect_uris: [defaultRedirectUri] })).status, 201);
});

test('a redirect URI with a wildcard is a text like any other, and matches itself alone', async (t) => {
  for (const uri of [
    'https://*.example.com/callback',
    'https://*/callback',
    'https://app.example.com:*/callback',
  ])
    t.like(
      await openEndpoints.register({ redirect_uris: [uri] }),
      { status: 400, body: { error: 'invalid_redirect_uri' } },
      uri,
    );
  const { body } = await openEndpoints.register({ redirect_uris: ['https://app.example.com/*'] });
  const request = { response_type: 'code', client_id: String(body.client_id), state: 's' };
  const pkce = {
    code_challenge: 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM',
    code_challenge_method: 'S256',
  };
  for (const uri of [
    'https://app.example.com/anything',
    'https://app.example.com/',
    'https://app.example.com/%2A',
  ]) {
    const answer = await openEndpoints.authorize({ ...request, ...pkce, redirect_uri: uri });
    t.deepEqual([answer.status, answer.headers.get('location')], [400, null], uri);
  }
});
