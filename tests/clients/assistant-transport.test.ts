import * as second from '@modelcontextprotocol/client';
import { Client as FirstClient } from '@modelcontextprotocol/sdk/client/index.js';
import { StreamableHTTPClientTransport as FirstTransport } from '@modelcontextprotocol/sdk/client/streamableHttp.js';
import test from 'ava';
import { addOwner, type Decision, startOAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { answerAuthorization, type Person } from './answer-authorization.ts';
import { createMemoryProvider, type MemoryProvider } from './memory-provider.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const world = await startOAuthWorld(undefined);
test.after.always(() => world.stack.close());

const { endpoints, stack } = world;
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
  const transport = new FirstTransport(address, { authProvider });
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
async function connect(
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
    const { provider, session } = await connect(openSession);
    t.is(provider.opened[0]?.searchParams.get('resource'), address.href);
    t.true(await session.callTool('add_tasks', { tasks: [{ title: 'By an assistant' }] }));
    t.true(await session.callTool('find_tasks'));
    await session.close();
  });

  test(`an assistant with ${name} renews its tokens under way`, async (t) => {
    const { provider, session } = await connect(openSession);
    await revokeAccessToken(provider);
    const calls = Array.from({ length: parallelCalls }, () => session.callTool('find_tasks'));
    t.deepEqual(await Promise.all(calls), Array(parallelCalls).fill(true));
    t.deepEqual([provider.opened.length, provider.forgotten], [1, []]);
    await session.close();
  });

  test(`an assistant with ${name} that was allowed to read alone is refused what writes`, async (t) => {
    const { session } = await connect(openSession, { scopes: ['read'] });
    t.true(await session.callTool('find_tasks'));
    await t.throwsAsync(session.callTool('add_tasks', { tasks: [{ title: 'x' }] }));
    await session.close();
  });
}

test('the second SDK asks its user for what a tool lacks, and goes on in the same session', async (t) => {
  const { provider, person, session } = await connect(openSecond, { scopes: ['read'] });
  const add = () => session.callTool('add_tasks', { tasks: [{ title: 'x' }] });
  await t.throwsAsync(add(), { instanceOf: second.UnauthorizedError });
  t.is(provider.opened.at(-1)?.searchParams.get('scope'), 'read write');
  await session.finish(await answerAuthorization(person, provider.opened.at(-1)));
  t.true(await add());
  await session.close();
});
