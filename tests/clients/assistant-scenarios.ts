import test from 'ava';
import { decodeJwt } from 'jose';
import { type OAuthWorld, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { type AssistantSdk, connect, finish, newAssistant, recordingFetch, useApi } from './assistant-sdk.ts';
import type { ClientDocuments } from './client-documents.ts';

/** What an app with this SDK must be able to do at our server. */
export function testAssistantSdk(world: OAuthWorld, web: ClientDocuments, sdk: AssistantSdk): void {
  testDiscovery(world, sdk);
  testMetadataDocument(world, web, sdk);
  testRenewal(world, sdk);
  testPatience(sdk);
  testLostGrants(world, sdk);
}

function testDiscovery(world: OAuthWorld, sdk: AssistantSdk): void {
  const { baseUrl, apiRoot } = world.stack;

  test(`${sdk.name}: the API’s 401 leads an app to tokens that the API takes`, async (t) => {
    const assistant = await newAssistant(world, sdk, { serverUrl: `${apiRoot}/me` });
    const refused = await fetch(assistant.options.serverUrl);
    const challenge = sdk.readChallenge(refused);
    t.is(refused.status, 401);
    t.is(challenge.resourceMetadataUrl?.href, `${baseUrl}/.well-known/oauth-protected-resource`);
    t.is(challenge.scope, 'read write');

    const { fetchFn, requests } = recordingFetch();
    Object.assign(assistant.options, challenge, { fetchFn });
    // Nobody is signed in yet in this browser.
    assistant.person.browser = createPageBrowser(baseUrl);
    await connect(assistant);
    t.deepEqual(requests, [
      'GET /.well-known/oauth-protected-resource',
      'GET /.well-known/oauth-authorization-server',
      'POST /oauth/register',
      'POST /oauth/token',
    ]);
    const { client, tokens } = assistant.provider.memory;
    t.is(client?.client_secret, undefined);
    t.is(tokens?.scope, 'read write');
    t.is(tokens?.token_type, 'Bearer');
    t.is(decodeJwt(tokens?.access_token ?? '').sub, assistant.person.accountId);
    t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
  });

  for (const { path, documents, resource } of [
    { path: '', documents: [''], resource: baseUrl },
    { path: '/mcp', documents: ['/mcp'], resource: `${baseUrl}/mcp` },
    { path: '/mcp?team=1', documents: ['/mcp'], resource: `${baseUrl}/mcp` },
    { path: '/api/public/v1/me', documents: ['/api/public/v1/me', ''], resource: baseUrl },
  ]) {
    test(`${sdk.name}: an app that was given nothing but {base_url}${path} finds its way`, async (t) => {
      const { fetchFn, requests } = recordingFetch();
      const assistant = await newAssistant(world, sdk, { serverUrl: `${baseUrl}${path}` });
      await connect({ ...assistant, options: { ...assistant.options, fetchFn } });
      const asked = documents.map((suffix) => `GET /.well-known/oauth-protected-resource${suffix}`);
      t.deepEqual(requests.slice(0, asked.length + 1), [
        ...asked,
        'GET /.well-known/oauth-authorization-server',
      ]);
      t.is(assistant.provider.opened[0]?.searchParams.get('resource'), resource);
      // All of them share one audience (specification §4).
      t.is(decodeJwt(assistant.provider.memory.tokens?.access_token ?? '').aud, apiRoot);
      t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
      // The refresh names the same resource.
      t.is(await sdk.auth(assistant.provider, assistant.options), 'AUTHORIZED');
      t.is(assistant.provider.opened.length, 1);
    });
  }
}

function testMetadataDocument(world: OAuthWorld, web: ClientDocuments, sdk: AssistantSdk): void {
  test(`${sdk.name}: an app with published metadata is known by its URL and never registers`, async (t) => {
    const address = `https://${sdk.name}.example.com/oauth/client-metadata`;
    web.documents.set(address, {
      client_id: address,
      client_name: 'Published assistant',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      token_endpoint_auth_method: 'none',
    });
    const { fetchFn, requests } = recordingFetch();
    const redirectUri = 'http://localhost:49152/callback';
    const assistant = await newAssistant(world, sdk, { clientMetadataUrl: address, redirectUri });
    Object.assign(assistant.options, { fetchFn });
    await connect(assistant);
    t.false(requests.includes('POST /oauth/register'));
    t.is(decodeJwt(assistant.provider.memory.tokens?.access_token ?? '').client_id, address);
    t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
    t.is(await sdk.auth(assistant.provider, assistant.options), 'AUTHORIZED');
    t.deepEqual(
      web.requested.filter((requested) => requested === address),
      [address],
    );
  });
}

function testRenewal(world: OAuthWorld, sdk: AssistantSdk): void {
  test(`${sdk.name}: five windows of one app that renew the same token at once all go on`, async (t) => {
    const assistant = await newAssistant(world, sdk);
    await connect(assistant);
    const { provider, options } = assistant;
    const renewals = await Promise.all(Array.from({ length: 5 }, () => sdk.auth(provider, options)));
    t.deepEqual(renewals, Array(5).fill('AUTHORIZED'));
    t.deepEqual([provider.opened.length, provider.forgotten], [1, []]);
    t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
    t.is(await sdk.auth(provider, options), 'AUTHORIZED');
  });
}

function testPatience(sdk: AssistantSdk): void {
  test(`${sdk.name}: a rate-limited app keeps its tokens, and its user is not asked again`, async (t) => {
    const environment = { TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE: '2' };
    const world = await startOAuthWorld(t, { environment });
    const assistant = await newAssistant(world, sdk);
    await connect(assistant);
    const { provider, options } = assistant;
    t.is(await sdk.auth(provider, options), 'AUTHORIZED');
    const kept = provider.memory.tokens;
    const error = await t.throwsAsync(sdk.auth(provider, options));
    t.regex(String(error.message), /too many|try again/i);
    t.deepEqual([provider.opened.length, provider.forgotten], [1, []]);
    t.deepEqual(provider.memory.tokens, kept);
    t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
  });
}

function testLostGrants(world: OAuthWorld, sdk: AssistantSdk): void {
  test(`${sdk.name}: an app that its owner disconnected asks again, as the client it was`, async (t) => {
    const assistant = await newAssistant(world, sdk);
    await connect(assistant);
    const { memory, opened, forgotten } = assistant.provider;
    const clientId = memory.client?.client_id;
    const grantId = decodeJwt(memory.tokens?.access_token ?? '').grant_id;
    const { browser } = assistant.person;
    const disconnected = await browser.submit(
      await browser.get('/settings/apps'),
      `/settings/apps/${grantId}/disconnect`,
    );
    t.is(disconnected.status, 303);
    t.deepEqual((await useApi(world, assistant)).statuses, [401, 401]);

    t.is(await sdk.auth(assistant.provider, assistant.options), 'REDIRECT');
    t.deepEqual(forgotten, ['tokens']);
    t.is(opened.at(-1)?.searchParams.get('client_id'), clientId);
    await finish(assistant);
    t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
  });

  test(`${sdk.name}: an app whose registration is gone registers again by itself`, async (t) => {
    const assistant = await newAssistant(world, sdk);
    await connect(assistant);
    const { memory, opened } = assistant.provider;
    const clientId = memory.client?.client_id ?? '';
    await world.stack.sql`delete from auth.oauth_client where client_id = ${clientId}`;

    t.is(await sdk.auth(assistant.provider, assistant.options), 'REDIRECT');
    t.not(memory.client?.client_id, clientId);
    t.is(opened.at(-1)?.searchParams.get('client_id'), memory.client?.client_id);
    await finish(assistant);
    t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
  });
}
