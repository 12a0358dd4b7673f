import test, { type ExecutionContext } from 'ava';
import * as client from 'openid-client';
import { addOwner, type Decision, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { answerAuthorization } from './answer-authorization.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const world = await startOAuthWorld(undefined);
test.after.always(() => world.stack.close());

const { baseUrl, apiRoot } = world.stack;
const server = new URL(baseUrl);
const redirectUri = 'com.example.desk:/callback';
/** Tests have no TLS. */
const options: client.DynamicClientRegistrationRequestOptions = {
  algorithm: 'oauth2',
  execute: [client.allowInsecureRequests],
};

function register(): Promise<client.Configuration> {
  const metadata = { redirect_uris: [redirectUri], client_name: 'openid-client' };
  return client.dynamicClientRegistration(server, metadata, client.None(), options);
}

async function ask(config: client.Configuration, decision: Decision = {}) {
  const verifier = client.randomPKCECodeVerifier();
  const state = client.randomState();
  const url = client.buildAuthorizationUrl(config, {
    redirect_uri: redirectUri,
    code_challenge: await client.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    scope: 'read write',
    resource: apiRoot,
    state,
  });
  const callback = await answerAuthorization(await addOwner(world.stack), url, decision);
  return { callback, checks: { pkceCodeVerifier: verifier, expectedState: state } };
}

async function connect() {
  const config = await register();
  const { callback, checks } = await ask(config);
  const tokens = await client.authorizationCodeGrant(config, callback, checks, { resource: apiRoot });
  return { config, tokens, refreshToken: tokens.refresh_token ?? '' };
}

async function statusOfMe(config: client.Configuration, accessToken: string): Promise<number> {
  const url = new URL(`${apiRoot}/me`);
  return (await client.fetchProtectedResource(config, accessToken, url, 'GET')).status;
}

async function throwsOAuthError(t: ExecutionContext, answer: Promise<unknown>): Promise<string> {
  const error = await t.throwsAsync(answer, { instanceOf: client.ResponseBodyError });
  return `${error.status} ${error.error}`;
}

test('an app with a scheme of its own registers, is allowed, and uses the API', async (t) => {
  const { config, tokens } = await connect();
  t.is(config.clientMetadata().client_secret, undefined);
  t.deepEqual([tokens.token_type, tokens.scope, tokens.expires_in], ['bearer', 'read write', 600]);
  t.is(await statusOfMe(config, tokens.access_token), 200);
});

test('a refresh brings new tokens, with a resource and without', async (t) => {
  const { config, refreshToken } = await connect();
  const renewed = await client.refreshTokenGrant(config, refreshToken);
  t.not(renewed.refresh_token, refreshToken);
  const again = await client.refreshTokenGrant(config, renewed.refresh_token ?? '', {
    resource: `${baseUrl}/mcp`,
    scope: 'read',
  });
  t.is(again.scope, 'read');
  t.is(await statusOfMe(config, again.access_token), 200);
});

test('a refusal of the user is an error of the authorization, with state and issuer checked', async (t) => {
  const config = await register();
  const { callback, checks } = await ask(config, { decision: 'deny' });
  const error = await t.throwsAsync(client.authorizationCodeGrant(config, callback, checks), {
    instanceOf: client.AuthorizationResponseError,
  });
  t.is(error.error, 'access_denied');
});

test('revocation ends an access token at once, and with a refresh token everything', async (t) => {
  const { config, tokens, refreshToken } = await connect();
  const url = new URL(`${apiRoot}/me`);
  const isRefused = (accessToken: string) =>
    t.throwsAsync(client.fetchProtectedResource(config, accessToken, url, 'GET'), {
      instanceOf: client.WWWAuthenticateChallengeError,
    });
  await client.tokenRevocation(config, tokens.access_token, { token_type_hint: 'access_token' });
  await isRefused(tokens.access_token);

  const renewed = await client.refreshTokenGrant(config, refreshToken);
  await client.tokenRevocation(config, renewed.refresh_token ?? '', { token_type_hint: 'refresh_token' });
  await isRefused(renewed.access_token);
  t.is(
    await throwsOAuthError(t, client.refreshTokenGrant(config, renewed.refresh_token ?? '')),
    '400 invalid_grant',
  );
  await t.notThrowsAsync(client.tokenRevocation(config, 'garbage'));
});
