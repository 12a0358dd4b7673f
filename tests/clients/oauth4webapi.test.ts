import test from 'ava';
import * as oauth from 'oauth4webapi';
import { addOwner, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { answerAuthorization } from './answer-authorization.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const world = await startOAuthWorld(undefined);
test.after.always(() => world.stack.close());

const { baseUrl, apiRoot } = world.stack;
/** The one check that is off: tests have no TLS. */
const insecure = { [oauth.allowInsecureRequests]: true };
const redirectUri = 'https://app.example.com/callback';
const authentication = oauth.None();

type Connected = {
  server: oauth.AuthorizationServer;
  client: oauth.Client;
  tokens: oauth.TokenEndpointResponse & { refresh_token: string };
};

async function discoverServer(): Promise<oauth.AuthorizationServer> {
  const issuer = new URL(baseUrl);
  const response = await oauth.discoveryRequest(issuer, { algorithm: 'oauth2', ...insecure });
  return oauth.processDiscoveryResponse(issuer, response);
}

async function register(server: oauth.AuthorizationServer): Promise<oauth.Client> {
  const metadata = { redirect_uris: [redirectUri], client_name: 'oauth4webapi' };
  const response = await oauth.dynamicClientRegistrationRequest(server, metadata, insecure);
  return oauth.processDynamicClientRegistrationResponse(response);
}

/** The user's answer, its state and issuer checked (RFC 9207 §2.4). */
async function ask(
  server: oauth.AuthorizationServer,
  client: oauth.Client,
  resource: string,
): Promise<{ callback: URLSearchParams; verifier: string }> {
  const verifier = oauth.generateRandomCodeVerifier();
  const state = oauth.generateRandomState();
  const url = new URL(server.authorization_endpoint ?? '');
  const parameters = {
    response_type: 'code',
    client_id: client.client_id,
    redirect_uri: redirectUri,
    code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
    code_challenge_method: 'S256',
    state,
    resource,
  };
  for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
  const back = await answerAuthorization(await addOwner(world.stack), url);
  return { callback: oauth.validateAuthResponse(server, client, back, state), verifier };
}

async function connect(resource: string): Promise<Connected> {
  const server = await discoverServer();
  const client = await register(server);
  const { callback, verifier } = await ask(server, client, resource);
  const response = await oauth.authorizationCodeGrantRequest(
    server,
    client,
    authentication,
    callback,
    redirectUri,
    verifier,
    insecure,
  );
  const tokens = await oauth.processAuthorizationCodeResponse(server, client, response);
  return { server, client, tokens: withRefreshToken(tokens) };
}

function withRefreshToken(tokens: oauth.TokenEndpointResponse): Connected['tokens'] {
  const { refresh_token } = tokens;
  if (refresh_token === undefined) throw new Error('the answer has no refresh token');
  return { ...tokens, refresh_token };
}

async function refresh({ server, client, tokens }: Connected, resource: string) {
  const options = { ...insecure, additionalParameters: { resource } };
  const { refresh_token } = tokens;
  return oauth.processRefreshTokenResponse(
    server,
    client,
    await oauth.refreshTokenGrantRequest(server, client, authentication, refresh_token, options),
  );
}

function apiRequest(accessToken: string): Promise<Response> {
  return oauth.protectedResourceRequest(
    accessToken,
    'GET',
    new URL(`${apiRoot}/me`),
    undefined,
    undefined,
    insecure,
  );
}

for (const resource of [baseUrl, apiRoot, `${baseUrl}/mcp`]) {
  const path = resource.slice(baseUrl.length);
  test(`a token for {base_url}${path} is one for the API (RFC 9068 §4)`, async (t) => {
    const connected = await connect(resource);
    t.deepEqual((await validate(connected, connected.tokens)).scope, 'read write');
    const renewed = await refresh(connected, resource);
    t.is((await validate(connected, renewed)).client_id, connected.client.client_id);
    t.is((await apiRequest(renewed.access_token)).status, 200);
  });
}

/** As a resource server that knows nothing but the metadata. */
function validate({ server }: Connected, { access_token }: oauth.TokenEndpointResponse) {
  const headers = { authorization: `Bearer ${access_token}` };
  const request = new Request(`${apiRoot}/me`, { headers });
  return oauth.validateJwtAccessToken(server, request, apiRoot, {
    ...insecure,
    signingAlgorithms: ['ES256'],
  });
}
