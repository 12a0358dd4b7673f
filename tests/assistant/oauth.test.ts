import * as current from '@modelcontextprotocol/client';
import { auth } from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as EarlierClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as EarlierTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import test from 'ava';
import { answerAuthorization } from '#tests/clients/answer-authorization.ts';
import { createMemoryProvider } from '#tests/clients/memory-provider.ts';
import { addOwner, connectApp, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { connectAssistant, wrap } from './assistant-client.ts';
import { resultsOf } from './desk.ts';
import { callMessage, postMessage } from './raw-message.ts';

const world = await startOAuthWorld(undefined);
const { stack } = world;
test.after.always(() => stack.close());
const address = new URL(`${stack.baseUrl}/mcp`);
const clientInfo = { name: 'desk-assistant', version: '1.0.0' };

test('with the address alone: the SDK of 2026-07-28 finds the consent page from the bare 401, and works', async (t) => {
  const person = await addOwner(stack);
  const provider = createMemoryProvider();
  const first = new current.StreamableHTTPClientTransport(address, { authProvider: provider });
  const options = { versionNegotiation: { mode: 'auto' as const } };
  await t.throwsAsync(new current.Client(clientInfo, options).connect(first), {
    instanceOf: current.UnauthorizedError,
  });
  t.is(provider.opened.length, 1);
  t.is(provider.opened[0]?.searchParams.get('scope'), 'read write');
  t.is(provider.opened[0]?.searchParams.get('resource'), address.href);
  const callback = await answerAuthorization(person, provider.opened[0]);
  await first.finishAuth(callback.searchParams);

  const client = new current.Client(clientInfo, options);
  await client.connect(new current.StreamableHTTPClientTransport(address, { authProvider: provider }));
  t.is(client.getProtocolEra(), 'modern');
  const added = await wrap(client).call('add_tasks', { tasks: [{ title: 'Sweep' }] });
  t.true(resultsOf(added)[0]?.ok);
  const rows = await stack.sql`select title from tasks.task where account_id = ${person.owner.accountId}`;
  t.deepEqual(
    rows.map(({ title }) => title),
    ['Sweep'],
  );
});

test('with the address alone: the SDK before does the same', async (t) => {
  const person = await addOwner(stack);
  const provider = createMemoryProvider();
  const first = new EarlierTransport(address, { authProvider: provider });
  await t.throwsAsync(new EarlierClient(clientInfo).connect(first), {
    name: 'Error',
    message: /Unauthorized/,
  });
  const callback = await answerAuthorization(person, provider.opened[0]);
  await auth(provider, {
    serverUrl: address,
    authorizationCode: callback.searchParams.get('code') ?? '',
  });
  const client = new EarlierClient(clientInfo);
  await client.connect(new EarlierTransport(address, { authProvider: provider }));
  const { tools } = await client.listTools();
  t.true(tools.length > 10);
});

test('an assistant that a person allowed to read alone offers and does no more', async (t) => {
  const app = await connectApp(world, { scopes: ['read'] });
  const assistant = await connectAssistant(stack.baseUrl, app.tokens.access_token);
  t.true((await assistant.listTools()).every(({ annotations }) => annotations?.readOnlyHint === true));
  const call = callMessage('add_tasks', { tasks: [{ title: 'Sweep' }] });
  const { status, headers } = await postMessage(stack.baseUrl, app.tokens.access_token, call);
  t.is(status, 403);
  t.regex(headers.get('www-authenticate') ?? '', /error="insufficient_scope", scope="read write"/);
});

test('an assistant that was disconnected is refused by its next message', async (t) => {
  const app = await connectApp(world);
  const call = callMessage('find_tasks', {});
  t.is((await postMessage(stack.baseUrl, app.tokens.access_token, call)).status, 200);
  await world.endpoints.revoke({ token: app.tokens.refresh_token, client_id: app.clientId });
  const { status, headers } = await postMessage(stack.baseUrl, app.tokens.access_token, call);
  t.is(status, 401);
  t.regex(headers.get('www-authenticate') ?? '', /error="invalid_token"/);
});
