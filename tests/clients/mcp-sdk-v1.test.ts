import * as sdk from '@modelcontextprotocol/sdk/client/auth.js';
import { withOAuth } from '@modelcontextprotocol/sdk/client/middleware.js';
import test from 'ava';
import { startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { testAssistantSdk } from './assistant-scenarios.ts';
import { type AssistantSdk, connect, finish, newAssistant, useApi } from './assistant-sdk.ts';
import { openClientDocuments } from './client-documents.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const web = await openClientDocuments();
const world = await startOAuthWorld(undefined, { fetchDocument: web.fetchDocument });
test.after.always(() => world.stack.close());
test.after.always(() => web.close());

const assistantSdk: AssistantSdk = {
  auth: sdk.auth,
  // It reads nothing but the code: `state` and `iss` are left to the app.
  finish: (provider, options, callback) =>
    sdk.auth(provider, { ...options, authorizationCode: callback.searchParams.get('code') ?? '' }),
  readChallenge: sdk.extractWWWAuthenticateParams,
  authorizedFetch: (provider, serverUrl) => withOAuth(provider, serverUrl)(fetch) as typeof fetch,
};

testAssistantSdk(world, web, assistantSdk);

test('an app with a read-only registration may ask for write later, once it forgets its tokens', async (t) => {
  const assistant = await newAssistant(world, assistantSdk, { scope: 'read' });
  const { provider, options } = assistant;
  await connect(assistant);
  const clientId = provider.memory.client?.client_id;
  const { write, statuses } = await useApi(world, assistant);
  t.deepEqual(statuses, [200, 403]);
  const challenge = sdk.extractWWWAuthenticateParams(write);
  t.is(challenge.error, 'insufficient_scope');
  t.is(challenge.scope, 'write');

  // This SDK renews what it has whenever it has a refresh token, and a renewal never widens (RFC 6749 §6).
  Object.assign(options, { scope: 'read write' });
  t.is(await sdk.auth(provider, options), 'AUTHORIZED');
  t.is(provider.memory.tokens?.scope, 'read');

  provider.invalidateCredentials('tokens');
  t.is(await sdk.auth(provider, options), 'REDIRECT');
  await finish(assistant);
  t.is(provider.memory.client?.client_id, clientId);
  t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
});
