import { randomUUID } from 'node:crypto';

/** What an SDK asks to be kept holds more members than these types name; all of them are kept. */
type StoredClient = { client_id: string; client_secret?: string; issuer?: string };

type StoredTokens = {
  access_token: string;
  token_type: string;
  refresh_token?: string;
  scope?: string;
  issuer?: string;
};

type StoredDiscovery = { authorizationServerUrl: string; resourceMetadataUrl?: string };

type ProviderMemory = {
  client: StoredClient | undefined;
  tokens: StoredTokens | undefined;
  discovery: StoredDiscovery | undefined;
  verifier: string | undefined;
  state: string | undefined;
};

type Forgettable = 'all' | 'client' | 'tokens' | 'verifier' | 'discovery';

/** The OAuthClientProvider of both generations of the MCP SDK, as an app on a desk would write it. */
export type MemoryProvider = ReturnType<typeof createMemoryProvider>;

export type MemoryProviderOptions = {
  redirectUri?: string;
  /** The address of the client's metadata document, where it has one. */
  clientMetadataUrl?: string;
};

export function createMemoryProvider({
  redirectUri = 'http://127.0.0.1:33418/callback',
  clientMetadataUrl,
}: MemoryProviderOptions = {}) {
  const memory: ProviderMemory = {
    client: undefined,
    tokens: undefined,
    discovery: undefined,
    verifier: undefined,
    state: undefined,
  };
  const opened: URL[] = [];
  const forgotten: Forgettable[] = [];
  return {
    memory,
    /** Where the user was sent, the last one last. */
    opened,
    /** What the SDK threw away by itself. */
    forgotten,
    redirectUrl: redirectUri,
    clientMetadataUrl,
    clientMetadata: { client_name: 'Desk assistant', redirect_uris: [redirectUri] },
    state() {
      memory.state = randomUUID();
      return memory.state;
    },
    clientInformation: () => memory.client,
    saveClientInformation(client: StoredClient) {
      memory.client = client;
    },
    tokens: () => memory.tokens,
    saveTokens(tokens: StoredTokens) {
      memory.tokens = tokens;
    },
    discoveryState: () => memory.discovery,
    saveDiscoveryState(discovery: StoredDiscovery) {
      memory.discovery = discovery;
    },
    saveCodeVerifier(verifier: string) {
      memory.verifier = verifier;
    },
    codeVerifier: () => memory.verifier ?? '',
    redirectToAuthorization(url: URL) {
      opened.push(url);
    },
    invalidateCredentials(what: Forgettable) {
      forgotten.push(what);
      for (const name of ['client', 'tokens', 'verifier', 'discovery'] as const)
        if (what === 'all' || what === name) memory[name] = undefined;
    },
  };
}
