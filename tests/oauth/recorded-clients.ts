/**
 * What real assistants send, as the sources beside them show it. `{base_url}` and the other names in braces stand for
 * what is only known when it is replayed. Exactly one of `registration` (the body of POST /oauth/register) and
 * `document` (what is served at its `client_id`) introduces the client.
 */
export type RecordedClient = {
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

export const recordedClients: readonly RecordedClient[] = [
  {
    // https://claude.ai/oauth/mcp-oauth-client-metadata, claude.com/docs/connectors/building/authentication
    name: 'Claude',
    document: {
      client_id: 'https://claude.ai/oauth/mcp-oauth-client-metadata',
      client_name: 'Claude',
      client_uri: 'https://claude.ai',
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      // For servers that take an enterprise's assertions; we don't.
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:jwt-bearer'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      state: '{state}',
      scope: 'read write',
      resource: '{base_url}/mcp',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      client_id: '{client_id}',
      redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
      code_verifier: '{code_verifier}',
      resource: '{base_url}/mcp',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      client_id: '{client_id}',
      resource: '{base_url}/mcp',
    },
  },
  {
    // github.com/PostHog/posthog/pull/48397, github.com/anthropics/claude-ai-mcp/issues/1043: it asks for a secret.
    name: 'Claude, registering',
    registration: {
      redirect_uris: ['https://claude.ai/api/mcp/auth_callback'],
      token_endpoint_auth_method: 'client_secret_post',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'Claude',
    },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      state: '{state}',
      scope: 'read write',
      resource: '{base_url}/mcp',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      client_id: '{client_id}',
      redirect_uri: 'https://claude.ai/api/mcp/auth_callback',
      code_verifier: '{code_verifier}',
      resource: '{base_url}/mcp',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      client_id: '{client_id}',
      resource: '{base_url}/mcp',
    },
  },
  {
    // https://claude.ai/oauth/claude-code-client-metadata: no application_type, and a port of its own at every start.
    // github.com/anthropics/claude-code/issues/52871: the resource is the origin, with a slash.
    name: 'Claude Code',
    document: {
      client_id: 'https://claude.ai/oauth/claude-code-client-metadata',
      client_name: 'Claude Code',
      client_uri: 'https://claude.ai',
      redirect_uris: ['http://localhost/callback', 'http://127.0.0.1/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      redirect_uri: 'http://localhost:54213/callback',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      state: '{state}',
      scope: 'read write',
      resource: '{base_url}/',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      client_id: '{client_id}',
      redirect_uri: 'http://localhost:54213/callback',
      code_verifier: '{code_verifier}',
      resource: '{base_url}/',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      client_id: '{client_id}',
      resource: '{base_url}/',
    },
  },
  {
    // https://chatgpt.com/oauth/client.json, developers.openai.com/apps-sdk/build/auth: it would rather sign with a key.
    name: 'ChatGPT',
    document: {
      client_id: 'https://chatgpt.com/oauth/client.json',
      client_uri: 'https://chatgpt.com/',
      redirect_uris: ['https://chatgpt.com/connector_platform_oauth_redirect'],
      token_endpoint_auth_method: 'private_key_jwt',
      token_endpoint_auth_methods_supported: ['none', 'private_key_jwt'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code', 'id_token'],
      client_name: 'ChatGPT',
      token_endpoint_auth_signing_alg: 'RS256',
      jwks_uri: 'https://chatgpt.com/oauth/jwks.json',
    },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      redirect_uri: 'https://chatgpt.com/connector_platform_oauth_redirect',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      state: '{state}',
      scope: 'read write',
      resource: '{base_url}/mcp',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      client_id: '{client_id}',
      redirect_uri: 'https://chatgpt.com/connector_platform_oauth_redirect',
      code_verifier: '{code_verifier}',
      resource: '{base_url}/mcp',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      client_id: '{client_id}',
      resource: '{base_url}/mcp',
    },
  },
  {
    // github.com/microsoft/vscode src/vs/base/common/oauth.ts (fetchDynamicRegistration): a port of
    // its own where 33418 is taken.
    name: 'VS Code',
    registration: {
      client_name: 'Visual Studio Code',
      client_uri: 'https://code.visualstudio.com',
      grant_types: ['authorization_code', 'refresh_token', 'urn:ietf:params:oauth:grant-type:device_code'],
      response_types: ['code'],
      redirect_uris: [
        'https://insiders.vscode.dev/redirect',
        'https://vscode.dev/redirect',
        'http://127.0.0.1/',
        'http://127.0.0.1:33418/',
      ],
      scope: 'read write',
      token_endpoint_auth_method: 'none',
      application_type: 'native',
    },
    headers: { accept: 'application/json' },
    authorization: {
      client_id: '{client_id}',
      response_type: 'code',
      state: '{state}',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      scope: 'read write',
      resource: '{base_url}/mcp',
      redirect_uri: 'http://127.0.0.1:51999/',
    },
    token: {
      client_id: '{client_id}',
      grant_type: 'authorization_code',
      code: '{code}',
      redirect_uri: 'http://127.0.0.1:51999/',
      code_verifier: '{code_verifier}',
      resource: '{base_url}/mcp',
    },
    refresh: {
      client_id: '{client_id}',
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      scope: 'read write',
      resource: '{base_url}/mcp',
    },
  },
  {
    // github.com/better-auth/better-auth/issues/10946, github.com/erp-mafia/accounted/pull/2225: a scheme of its own,
    // a website and a loopback address at once, and called a web application.
    name: 'Cursor',
    registration: {
      client_name: 'Cursor',
      application_type: 'web',
      redirect_uris: [
        'cursor://anysphere.cursor-mcp/oauth/callback',
        'https://www.cursor.com/agents/mcp/oauth/callback',
        'http://localhost:8787/callback',
      ],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      redirect_uri: 'cursor://anysphere.cursor-mcp/oauth/callback',
      state: '{state}',
      resource: '{base_url}/mcp',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      client_id: '{client_id}',
      code_verifier: '{code_verifier}',
      redirect_uri: 'cursor://anysphere.cursor-mcp/oauth/callback',
      resource: '{base_url}/mcp',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      client_id: '{client_id}',
      resource: '{base_url}/mcp',
    },
  },
  {
    // https://chatgpt.com/oauth/codex/client.json, github.com/openai/codex/issues/33403: no resource when it refreshes.
    name: 'Codex',
    document: {
      client_id: 'https://chatgpt.com/oauth/codex/client.json',
      client_name: 'Codex',
      redirect_uris: ['http://127.0.0.1/callback', 'http://localhost/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
    },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      state: '{state}',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      redirect_uri: 'http://127.0.0.1:41239/callback',
      scope: 'read write',
      resource: '{base_url}/mcp',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      client_id: '{client_id}',
      code_verifier: '{code_verifier}',
      redirect_uri: 'http://127.0.0.1:41239/callback',
      resource: '{base_url}/mcp',
    },
    refresh: { grant_type: 'refresh_token', refresh_token: '{refresh_token}', client_id: '{client_id}' },
  },
  {
    // github.com/modelcontextprotocol/inspector core/auth/providers.ts: an empty scope, from a page in a browser.
    name: 'MCP Inspector',
    registration: {
      redirect_uris: ['http://localhost:6274/oauth/callback', 'http://127.0.0.1:6276/oauth/callback'],
      token_endpoint_auth_method: 'none',
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      client_name: 'MCP Inspector',
      client_uri: 'https://github.com/modelcontextprotocol/inspector',
      scope: '',
      application_type: 'native',
    },
    headers: { origin: 'http://localhost:6274', accept: 'application/json' },
    authorization: {
      response_type: 'code',
      client_id: '{client_id}',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      redirect_uri: 'http://localhost:6274/oauth/callback',
      state: '{state}',
      resource: '{base_url}/',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      code_verifier: '{code_verifier}',
      redirect_uri: 'http://localhost:6274/oauth/callback',
      resource: '{base_url}/',
      client_id: '{client_id}',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      resource: '{base_url}/',
      client_id: '{client_id}',
    },
  },
  {
    // github.com/google-gemini/gemini-cli packages/core/src/mcp/oauth-provider.ts and oauth-utils.ts
    name: 'Gemini CLI',
    registration: {
      client_name: 'Gemini CLI MCP Client',
      redirect_uris: ['http://localhost:7777/oauth/callback'],
      grant_types: ['authorization_code', 'refresh_token'],
      response_types: ['code'],
      token_endpoint_auth_method: 'none',
      scope: '',
    },
    headers: { accept: 'application/json, application/x-www-form-urlencoded' },
    authorization: {
      client_id: '{client_id}',
      response_type: 'code',
      redirect_uri: 'http://localhost:7777/oauth/callback',
      state: '{state}',
      code_challenge: '{code_challenge}',
      code_challenge_method: 'S256',
      resource: '{base_url}/mcp',
    },
    token: {
      grant_type: 'authorization_code',
      code: '{code}',
      redirect_uri: 'http://localhost:7777/oauth/callback',
      code_verifier: '{code_verifier}',
      client_id: '{client_id}',
      resource: '{base_url}/mcp',
    },
    refresh: {
      grant_type: 'refresh_token',
      refresh_token: '{refresh_token}',
      client_id: '{client_id}',
      resource: '{base_url}/mcp',
    },
  },
];
