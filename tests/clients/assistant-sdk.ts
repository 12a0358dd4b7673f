import { randomUUID } from 'node:crypto';
import { addOwner, type Decision, type OAuthWorld } from '#tests/oauth/oauth-flow.ts';
import { answerAuthorization, type Person } from './answer-authorization.ts';
import { createMemoryProvider, type MemoryProvider, type MemoryProviderOptions } from './memory-provider.ts';

type AuthOptions = {
  /** The address that the user gave to the app. */
  serverUrl: string;
  resourceMetadataUrl?: URL;
  scope?: string;
  fetchFn?: (url: string | URL, init?: RequestInit) => Promise<Response>;
};

type AuthResult = 'AUTHORIZED' | 'REDIRECT';

/** What both generations of the MCP SDK can do, under their own names. */
export type AssistantSdk = {
  /** In titles and names of hosts. */
  name: string;
  auth(provider: MemoryProvider, options: AuthOptions): Promise<AuthResult>;
  /** Takes what came to the redirect target. */
  finish(provider: MemoryProvider, options: AuthOptions, callback: URL): Promise<AuthResult>;
  readChallenge(response: Response): { resourceMetadataUrl?: URL; scope?: string; error?: string };
};

/** An app that was connected, and what its user sees of it. */
type Assistant = {
  sdk: AssistantSdk;
  provider: MemoryProvider;
  person: Person & { accountId: string };
  options: AuthOptions;
};

export async function newAssistant(
  world: OAuthWorld,
  sdk: AssistantSdk,
  { scope, serverUrl, ...providerOptions }: MemoryProviderOptions & Partial<AuthOptions> = {},
): Promise<Assistant> {
  const { owner, browser } = await addOwner(world.stack);
  return {
    sdk,
    provider: createMemoryProvider(providerOptions),
    person: { owner, browser, accountId: owner.accountId },
    options: { serverUrl: serverUrl ?? world.stack.baseUrl, ...(scope !== undefined && { scope }) },
  };
}

/** From nothing to tokens. Throws when the SDK does not send the user to us or refuses the answer. */
export async function connect(assistant: Assistant, decision: Decision = {}): Promise<void> {
  const { sdk, provider, options } = assistant;
  const result = await sdk.auth(provider, options);
  if (result !== 'REDIRECT') throw new Error(`the SDK is ${result} before anybody was asked`);
  await finish(assistant, decision);
}

/** The user's answer to the page that the SDK opened last. */
export async function finish(assistant: Assistant, decision: Decision = {}): Promise<void> {
  const { sdk, provider, options, person } = assistant;
  const callback = await answerAuthorization(person, provider.opened.at(-1), decision);
  const result = await sdk.finish(provider, options, callback);
  if (result !== 'AUTHORIZED') throw new Error(`the SDK is not content with ${callback.search}: ${result}`);
}

/** The API's answer to a read and to a write with the tokens that the SDK keeps. */
export async function useApi({ stack }: OAuthWorld, { provider }: Assistant) {
  const headers = { authorization: `Bearer ${provider.memory.tokens?.access_token}` };
  const read = await fetch(`${stack.apiRoot}/me`, { headers });
  const write = await fetch(`${stack.apiRoot}/tasks`, {
    method: 'POST',
    headers: { ...headers, 'content-type': 'application/json' },
    body: JSON.stringify({ title: `Written by an assistant ${randomUUID()}` }),
  });
  return { read, write, statuses: [read.status, write.status] };
}

/** fetch that keeps a list of what it was asked for, as `GET /path`. */
export function recordingFetch(): { fetchFn: typeof fetch; requests: string[] } {
  const requests: string[] = [];
  return {
    requests,
    fetchFn: (input, init) => {
      const { pathname } = new URL(input instanceof Request ? input.url : input);
      requests.push(`${init?.method ?? 'GET'} ${pathname}`);
      return fetch(input, init);
    },
  };
}
