import type { AuthorizationServerMetadata, OAuthMetadata } from '@modelcontextprotocol/client';
import test from 'ava';
import { decodeJwt } from 'jose';
import { addOwner, type OAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { answerAuthorization } from './answer-authorization.ts';
import type { StoredClient, StoredTokens } from './memory-provider.ts';

type ResourceMetadata = { resource: string; authorization_servers?: string[]; scopes_supported?: string[] };

type TokenOptions = {
  metadata: AuthorizationServerMetadata | undefined;
  clientInformation: StoredClient;
  resource?: string | URL;
};

/** The functions of which an SDK's `auth` is made; some apps call them one by one. */
export type AssistantSteps = {
  discoverOAuthProtectedResourceMetadata(serverUrl: string): Promise<ResourceMetadata>;
  discoverOAuthMetadata(issuer: string): Promise<OAuthMetadata | undefined>;
  registerClient(
    issuer: string,
    options: {
      metadata: AuthorizationServerMetadata | undefined;
      clientMetadata: { redirect_uris: string[] };
    },
  ): Promise<StoredClient & { redirect_uris: string[]; token_endpoint_auth_method?: string }>;
  startAuthorization(
    issuer: string,
    options: TokenOptions & { redirectUrl: string; scope?: string; state?: string },
  ): Promise<{ authorizationUrl: URL; codeVerifier: string }>;
  exchangeAuthorization(
    issuer: string,
    options: TokenOptions & {
      authorizationCode: string;
      iss?: string;
      codeVerifier: string;
      redirectUri: string;
    },
  ): Promise<StoredTokens>;
  refreshAuthorization(
    issuer: string,
    options: TokenOptions & { refreshToken: string },
  ): Promise<StoredTokens>;
};

const redirectUrl = 'http://127.0.0.1:33418/callback';

/** The same way on foot, with what `auth` never varies. */
export function testAssistantSteps({ stack, endpoints }: OAuthWorld, steps: AssistantSteps): void {
  const { baseUrl, apiRoot } = stack;

  async function discover() {
    const { authorization_servers: [issuer = ''] = [], ...described } =
      await steps.discoverOAuthProtectedResourceMetadata(baseUrl);
    return { issuer, described, metadata: await steps.discoverOAuthMetadata(issuer) };
  }

  async function register(): Promise<{
    metadata: AuthorizationServerMetadata | undefined;
    clientInformation: StoredClient;
  }> {
    const { metadata } = await discover();
    const clientMetadata = { redirect_uris: [redirectUrl], client_name: 'Step by step' };
    return { metadata, clientInformation: await steps.registerClient(baseUrl, { metadata, clientMetadata }) };
  }

  test('what is discovered names one issuer, byte for byte', async (t) => {
    const { issuer, described, metadata } = await discover();
    t.is(issuer, baseUrl);
    t.is(metadata?.issuer, baseUrl);
    t.is(described.resource, baseUrl);
    t.deepEqual(described.scopes_supported, ['read', 'write']);
  });

  test('a registration is answered as the SDK reads it', async (t) => {
    const { clientInformation } = await register();
    t.like(clientInformation, { redirect_uris: [redirectUrl], token_endpoint_auth_method: 'none' });
    t.is(clientInformation.client_secret, undefined);
  });

  test('a redirect target that can’t be registered is refused with words the SDK passes on', async (t) => {
    const { metadata } = await discover();
    const clientMetadata = { redirect_uris: ['http://app.example.com/callback'] };
    await t.throwsAsync(steps.registerClient(baseUrl, { metadata, clientMetadata }), {
      message: /must use https, or http on localhost/,
    });
  });

  for (const [how, resource] of [
    ['without a resource', undefined],
    ['with the API as resource', apiRoot],
    ['with the resource as a URL object, which adds a slash,', new URL(baseUrl)],
  ] as const) {
    test(`steps ${how} lead to tokens for the API, and on to renewed ones`, async (t) => {
      const known = { ...(await register()), ...(resource !== undefined && { resource }) };
      const { authorizationUrl, codeVerifier } = await steps.startAuthorization(baseUrl, {
        ...known,
        redirectUrl,
      });
      t.is(authorizationUrl.searchParams.get('scope'), null);
      const callback = await answerAuthorization(await addOwner(stack), authorizationUrl);
      const tokens = await steps.exchangeAuthorization(baseUrl, {
        ...known,
        authorizationCode: callback.searchParams.get('code') ?? '',
        iss: callback.searchParams.get('iss') ?? undefined,
        codeVerifier,
        redirectUri: redirectUrl,
      });
      t.is(tokens.scope, 'read write');
      t.is(decodeJwt(tokens.access_token).aud, apiRoot);
      const renewed = await steps.refreshAuthorization(baseUrl, {
        ...known,
        refreshToken: tokens.refresh_token ?? '',
      });
      t.not(renewed.refresh_token, tokens.refresh_token);
      t.is(await endpoints.me(renewed.access_token), 200);
      // What the app did not say at first it may say later, and the other way round.
      const { resource: _resource, ...unnamed } = known;
      const again = await steps.refreshAuthorization(baseUrl, {
        ...unnamed,
        ...(resource === undefined && { resource: `${baseUrl}/mcp` }),
        refreshToken: renewed.refresh_token ?? '',
      });
      t.is(await endpoints.me(again.access_token), 200);
    });
  }
}
