import * as second from '@modelcontextprotocol/client';
import * as first from '@modelcontextprotocol/sdk/client/auth.js';
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

const firstSdk: AssistantSdk = {
  name: 'first-sdk',
  auth: first.auth,
  // It reads nothing but the code: `state` and `iss` are left to the app.
  finish: (provider, options, callback) =>
    first.auth(provider, { ...options, authorizationCode: callback.searchParams.get('code') ?? '' }),
  readChallenge: first.extractWWWAuthenticateParams,
  authorizedFetch: (provider, serverUrl) => withOAuth(provider, serverUrl)(fetch) as typeof fetch,
};

testAssistantSdk(world, web, firstSdk);

test('an app with a read-only registration may ask for write later, once it forgets its tokens', async (t) => {
  const assistant = await newAssistant(world, firstSdk, { scope: 'read' });
  const { provider, options } = assistant;
  await connect(assistant);
  const clientId = provider.memory.client?.client_id;
  const { write, statuses } = await useApi(world, assistant);
  t.deepEqual(statuses, [200, 403]);
  const challenge = first.extractWWWAuthenticateParams(write);
  t.is(challenge.error, 'insufficient_scope');
  t.is(challenge.scope, 'write');

  // This SDK renews what it has whenever it has a refresh token, and a renewal never widens (RFC 6749 §6).
  Object.assign(options, { scope: 'read write' });
  t.is(await first.auth(provider, options), 'AUTHORIZED');
  t.is(provider.memory.tokens?.scope, 'read');

  provider.invalidateCredentials('tokens');
  t.is(await first.auth(provider, options), 'REDIRECT');
  await finish(assistant);
  t.is(provider.memory.client?.client_id, clientId);
  t.deepEqual((await useApi(world, assistant)).statuses, [200, 201]);
});

const secondSdk: AssistantSdk = {
  name: 'second-sdk',
  auth: second.auth,
  finish: (provider, options, callback) =>
    second.auth(provider, {
      ...options,
      authorizationCode: callback.searchParams.get('code') ?? '',
      iss: callback.searchParams.get('iss') ?? undefined,
    }),
  readChallenge: second.extractWWWAuthenticateParams,
  authorizedFetch: (provider, serverUrl) => second.withOAuth(provider, serverUrl)(fetch) as typeof fetch,
};

testAssistantSdk(world, web, secondSdk);

test('a user who unticks a scope is not asked again and again', async (t) => {
  const assistant = await newAssistant(world, secondSdk);
  await connect(assistant, { scopes: ['write'] });
  const { memory } = assistant.provider;
  t.is(memory.tokens?.scope, 'write');
  const { read, statuses } = await useApi(world, assistant);
  t.deepEqual(statuses, [403, 201]);
  const { scope } = second.extractWWWAuthenticateParams(read);
  t.is(scope, 'read');
  t.is(await second.auth(assistant.provider, assistant.options), 'AUTHORIZED');
  t.is(memory.tokens?.scope, 'write');
});
