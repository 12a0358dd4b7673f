import test from 'ava';
import { password, registerClient, startOAuthWorld } from './oauth-flow.ts';

const world = await startOAuthWorld(undefined);
const { endpoints, stack, owner } = world;
const clientId = await registerClient(world);
test.after.always(() => world.stack.close());

const refusedGrants: Record<string, Record<string, string>> = {
  'the owner’s own password (RFC 9700 §2.4)': {
    grant_type: 'password',
    username: owner.email,
    password,
    scope: 'read write',
  },
  'nothing but the client itself (RFC 6749 §4.4)': { grant_type: 'client_credentials' },
  'a client and an account that it names (RFC 6749 §4.4)': {
    grant_type: 'client_credentials',
    sub: owner.accountId,
    account_id: owner.accountId,
  },
  'an implicit grant (RFC 9700 §2.1.2)': { grant_type: 'implicit' },
  'a device code (RFC 8628 §3.4)': {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    device_code: 'x',
  },
  'an assertion (RFC 7523 §2.1)': {
    grant_type: 'urn:ietf:params:oauth:grant-type:jwt-bearer',
    assertion: 'eyJhbGciOiJub25lIn0.e30.',
  },
  'an exchange, which the API has an endpoint for (RFC 8693 §2.1)': {
    grant_type: 'urn:ietf:params:oauth:grant-type:token-exchange',
    subject_token: 'x',
    subject_token_type: 'urn:ietf:params:oauth:token-type:access_token',
  },
  'a back-channel request (CIBA §10.1)': {
    grant_type: 'urn:openid:params:grant-type:ciba',
    auth_req_id: 'x',
  },
  'a grant in the wrong case (RFC 6749 §4.1.3)': { grant_type: 'Authorization_Code', code: 'x' },
  'a grant nobody knows (RFC 6749 §5.2)': { grant_type: 'constructor' },
};

for (const [what, parameters] of Object.entries(refusedGrants)) {
  test(`no token for ${what}`, async (t) => {
    const { status, body } = await endpoints.token({ client_id: clientId, ...parameters });
    t.is(status, 400);
    t.is(body.error, 'unsupported_grant_type');
    t.false('access_token' in body);
  });
}

test('a token request that names no grant, or two, is malformed (RFC 6749 §5.2)', async (t) => {
  for (const grantType of [
    undefined,
    '',
    ['refresh_token', 'authorization_code'],
    ['password', 'password'],
  ]) {
    const parameters = { client_id: clientId, grant_type: grantType, refresh_token: 'x', code: 'x' };
    const { status, body } = await endpoints.token(parameters);
    t.deepEqual([status, body.error], [400, 'invalid_request']);
  }
});

test('a client can’t register its way to another grant (RFC 7591 §3.2.1)', async (t) => {
  const answer = await endpoints.register({
    redirect_uris: ['https://app.example.com/callback'],
    grant_types: ['password', 'client_credentials', 'implicit', 'authorization_code'],
  });
  t.deepEqual(answer.body.grant_types, ['authorization_code', 'refresh_token']);
  const { body } = await endpoints.token({
    client_id: String(answer.body.client_id),
    grant_type: 'client_credentials',
  });
  t.is(body.error, 'unsupported_grant_type');
});

test('metadata lists the two grants that are served (RFC 8414 §2)', async (t) => {
  const { body } = await stack.site.get('/.well-known/oauth-authorization-server');
  t.deepEqual(body.grant_types_supported, ['authorization_code', 'refresh_token']);
});
