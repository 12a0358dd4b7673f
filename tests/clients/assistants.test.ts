import { randomUUID } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import * as second from '@modelcontextprotocol/client';
import * as first from '@modelcontextprotocol/sdk/client/auth.js';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import * as firstHttp from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import test from 'ava';
import { decodeJwt } from 'jose';
import { createPkce } from '#tests/oauth/oauth-endpoints.ts';
import {
  addOwner,
  type Decision,
  decide,
  openConsentPage,
  startOAuthWorld,
} from '#tests/oauth/oauth-flow.ts';
import { answerAuthorization, type Person } from './answer-authorization.ts';
import { testAssistantSdk } from './assistant-scenarios.ts';
import { type AssistantSdk, connect, finish, newAssistant, useApi } from './assistant-sdk.ts';
import { openClientDocuments } from './client-documents.ts';
import { createMemoryProvider, type MemoryProvider } from './memory-provider.ts';

/**
 * What real assistants send, as their `source` shows it. `{base_url}` and the other names in braces stand for
 * what is only known when it is replayed. Exactly one of `registration` (the body of POST /oauth/register)
 * and `document` (what is served at its `client_id`) introduces the client.
 */
type RecordedClient = {
  name: string;
  registration?: Readonly<Record<string, unknown>>;
  document?: Readonly<Record<string, unknown>> & { client_id: string };
  /** Sent with every request that is not the browser's. */
  headers?: Readonly<Record<string, string>>;
  /** The query of GET /oauth/authorize. */
  authorization: Readonly<Record<string, string>>;
  /** The forms of POST /oauth/token: with the code, and later with a refresh token. */
  token: Readonly<Record<string, string>>;
  refresh: Readonly<Record<string, string>>;
};

const recordings = await readFile(new URL('./recorded-clients.json', import.meta.url), 'utf8');
const recordedClients: readonly RecordedClient[] = JSON.parse(recordings);

type Fields = Readonly<Record<string, string>>;

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const web = await openClientDocuments();
const world = await startOAuthWorld(undefined, { fetchDocument: web.fetchDocument });
test.after.always(() => world.stack.close());
test.after.always(() => web.close());

const { endpoints, stack } = world;

function fill(recorded: Fields, known: Fields): Fields {
  const fillOne = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_placeholder, name: string) => {
      const value = known[name];
      if (value === undefined) throw new Error(`nothing is known of {${name}}`);
      return value;
    });
  return Object.fromEntries(Object.entries(recorded).map(([name, text]) => [name, fillOne(text)]));
}

/** Registers, or publishes its document; the client's id. */
async function introduce({ registration, document, headers }: RecordedClient): Promise<string> {
  if (document !== undefined) {
    web.documents.set(document.client_id, document);
    return document.client_id;
  }
  const { status, body } = await endpoints.register(registration, headers);
  if (status !== 201) throw new Error(`the registration answers ${status} ${JSON.stringify(body)}`);
  return String(body.client_id);
}

async function connectAs(recorded: RecordedClient, clientId: string) {
  const { verifier, challenge } = createPkce();
  const known = {
    base_url: stack.baseUrl,
    client_id: clientId,
    state: randomUUID(),
    code_challenge: challenge,
    code_verifier: verifier,
  };
  const { browser } = await addOwner(stack);
  const page = await openConsentPage(browser, endpoints.authorizeUrl(fill(recorded.authorization, known)));
  const callback = await decide(browser, page);
  const code = callback.searchParams.get('code') ?? '';
  const answer = await endpoints.token(fill(recorded.token, { ...known, code }), recorded.headers);
  return { known, page, callback, answer };
}

/** The same client after its next start, when the system gives it another port. */
function onAnotherPort(recorded: RecordedClient): RecordedClient {
  const move = (fields: Fields) => ({
    ...fields,
    redirect_uri: String(fields.redirect_uri).replace(/:\d+\//, ':61234/'),
  });
  return { ...recorded, authorization: move(recorded.authorization), token: move(recorded.token) };
}

async function apiStatuses(accessToken: string): Promise<[read: number, write: number]> {
  const client = stack.client(accessToken);
  return [(await client.get('/me')).status, (await client.post('/tasks', { title: 'x' })).status];
}

for (const recorded of recordedClients) {
  const { name, registration, document, authorization, refresh, headers } = recorded;

  test(`${name} connects, works and renews as it was recorded`, async (t) => {
    const clientId = await introduce(recorded);
    const { known, page, callback, answer } = await connectAs(recorded, clientId);
    t.true(page.text.includes(String((registration ?? document)?.client_name)));
    if (document !== undefined) t.true(page.text.includes(new URL(clientId).host));

    t.true(callback.href.startsWith(`${authorization.redirect_uri}?`), callback.href);
    t.is(callback.searchParams.get('state'), known.state);
    t.is(callback.searchParams.get('iss'), stack.baseUrl);

    t.is(answer.status, 200, JSON.stringify(answer.body));
    t.is(answer.body.scope, 'read write');
    t.is(decodeJwt(answer.body.access_token).aud, stack.apiRoot);
    t.is(answer.headers.get('access-control-allow-origin'), '*');
    t.deepEqual(await apiStatuses(answer.body.access_token), [200, 201]);

    const { refresh_token } = answer.body;
    const renewed = await endpoints.token(fill(refresh, { ...known, refresh_token }), headers);
    t.is(renewed.status, 200, JSON.stringify(renewed.body));
    t.deepEqual(await apiStatuses(renewed.body.access_token), [200, 201]);
    const again = await endpoints.token(
      fill(refresh, { ...known, refresh_token: renewed.body.refresh_token }),
      headers,
    );
    t.is(again.status, 200, JSON.stringify(again.body));
  });
}

for (const recorded of recordedClients.filter(({ authorization }) =>
  authorization.redirect_uri?.startsWith('http:'),
)) {
  test(`${recorded.name} connects on another port after its next start (RFC 8252 §7.3)`, async (t) => {
    const restarted = onAnotherPort(recorded);
    const { callback, answer } = await connectAs(restarted, await introduce(recorded));
    t.is(callback.port, '61234');
    t.is(answer.status, 200, JSON.stringify(answer.body));
  });
}

const firstSdk: AssistantSdk = {
  name: 'first-sdk',
  auth: first.auth,
  // It reads nothing but the code: `state` and `iss` are left to the app.
  finish: (provider, options, callback) =>
    first.auth(provider, { ...options, authorizationCode: callback.searchParams.get('code') ?? '' }),
  readChallenge: first.extractWWWAuthenticateParams,
};

testAssistantSdk(world, web, firstSdk);

test('an app with a read-only registration may ask for write, once it forgets its tokens', async (t) => {
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

const address = new URL(`${stack.baseUrl}/mcp`);

/** A session with the assistant server. */
type Session = {
  /** Throws when the user has to be asked. */
  open(): Promise<void>;
  finish(callback: URL): Promise<void>;
  /** Whether the tool did what it was asked. Throws when the server refuses the call itself. */
  callTool(name: string, values?: Record<string, unknown>): Promise<boolean>;
  close(): Promise<void>;
};

const identity = { name: 'Desk assistant', version: '1.0.0' };

function openFirst(authProvider: MemoryProvider): Session {
  const client = new FirstClient(identity);
  const transport = new firstHttp.StreamableHTTPClientTransport(address, { authProvider });
  return {
    open: () => client.connect(transport),
    finish: (callback) => transport.finishAuth(callback.searchParams.get('code') ?? ''),
    callTool: async (name, values = {}) =>
      (await client.callTool({ name, arguments: values })).isError !== true,
    close: () => client.close(),
  };
}

function openSecond(authProvider: MemoryProvider): Session {
  const client = new second.Client(identity);
  const transport = new second.StreamableHTTPClientTransport(address, { authProvider });
  return {
    open: () => client.connect(transport),
    finish: (callback) => transport.finishAuth(callback.searchParams),
    callTool: async (name, values = {}) =>
      (await client.callTool({ name, arguments: values })).isError !== true,
    close: () => client.close(),
  };
}

type Connected = { provider: MemoryProvider; person: Person; session: Session };

/** As an app does: it is refused, asks its user, and opens its session anew. */
async function openAs(
  openSession: (provider: MemoryProvider) => Session,
  decision: Decision = {},
): Promise<Connected> {
  const provider = createMemoryProvider();
  const person = await addOwner(stack);
  const refused = openSession(provider);
  const isOpen = await refused.open().then(
    () => true,
    () => false,
  );
  if (isOpen) throw new Error('the session is open without a token');
  await refused.finish(await answerAuthorization(person, provider.opened[0], decision));
  const session = openSession(provider);
  await session.open();
  return { provider, person, session };
}

async function revokeAccessToken({ memory }: MemoryProvider): Promise<void> {
  await endpoints.revoke({ token: memory.tokens?.access_token, client_id: memory.client?.client_id });
}

for (const { name, openSession, parallelCalls } of [
  // Of its own calls that are refused together, this one lets only the first renew anything.
  { name: 'the first SDK', openSession: openFirst, parallelCalls: 1 },
  { name: 'the second SDK', openSession: openSecond, parallelCalls: 5 },
]) {
  test(`an assistant with ${name} is led from its first refusal to its first tool`, async (t) => {
    const { provider, session } = await openAs(openSession);
    t.is(provider.opened[0]?.searchParams.get('resource'), address.href);
    t.true(await session.callTool('add_tasks', { tasks: [{ title: 'By an assistant' }] }));
    t.true(await session.callTool('find_tasks'));
    await session.close();
  });

  test(`an assistant with ${name} renews its tokens under way`, async (t) => {
    const { provider, session } = await openAs(openSession);
    await revokeAccessToken(provider);
    const calls = Array.from({ length: parallelCalls }, () => session.callTool('find_tasks'));
    t.deepEqual(await Promise.all(calls), Array(parallelCalls).fill(true));
    t.deepEqual([provider.opened.length, provider.forgotten], [1, []]);
    await session.close();
  });

  test(`an assistant with ${name} that was allowed to read alone is refused what writes`, async (t) => {
    const { session } = await openAs(openSession, { scopes: ['read'] });
    t.true(await session.callTool('find_tasks'));
    await t.throwsAsync(session.callTool('add_tasks', { tasks: [{ title: 'x' }] }));
    await session.close();
  });
}

test('the second SDK asks its user for what a tool lacks, and goes on in the same session', async (t) => {
  const { provider, person, session } = await openAs(openSecond, { scopes: ['read'] });
  const add = () => session.callTool('add_tasks', { tasks: [{ title: 'x' }] });
  await t.throwsAsync(add(), { instanceOf: second.UnauthorizedError });
  t.is(provider.opened.at(-1)?.searchParams.get('scope'), 'read write');
  await session.finish(await answerAuthorization(person, provider.opened.at(-1)));
  t.true(await add());
  await session.close();
});
