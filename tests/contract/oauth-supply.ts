import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import {
  addOwner,
  type ConnectedApp,
  connectApp,
  type OAuthWorld,
  obtainCode,
  refreshRequest,
} from '#tests/oauth/oauth-flow.ts';
import type { Stack } from '#tests/support/stack.ts';

/** What requests to OAuth's endpoints must name for anything to come of them; made when it is first asked for. */
export type OAuthSupply = {
  /** A client for all redirect targets that are asked for. */
  clientId(): Promise<string>;
  /** The parameters of a refresh that will succeed. */
  refresh(): Promise<unknown>;
  /** The parameters that redeem a new code. */
  redemption(): Promise<unknown>;
  accessToken(): Promise<string>;
  /** Told what /oauth/token answered: the next refresh takes the new token. */
  observeTokens(body: unknown): void;
};

const redirectUris = [
  'https://app.example.com/callback',
  'http://127.0.0.1/back',
  'com.example.app:/back',
  'cursor://x/y',
];

export function createOAuthSupply(stack: Stack): OAuthSupply {
  const endpoints = createOAuthEndpoints(stack.baseUrl);
  let opened: Promise<Pick<OAuthWorld, 'endpoints' | 'browser'>> | undefined;
  let registered: Promise<string> | undefined;
  let app: ConnectedApp | undefined;

  const world = () => (opened ??= addOwner(stack).then(({ browser }) => ({ endpoints, browser })));
  const clientId = () => (registered ??= register());
  const register = async (): Promise<string> => {
    const { status, body } = await endpoints.register({ redirect_uris: redirectUris });
    if (status !== 201) throw new Error(`registration answers ${status}`);
    return String(body.client_id);
  };
  const connected = async (): Promise<ConnectedApp> => {
    app ??= await connectApp(await world(), { clientId: await clientId() });
    return app;
  };

  return {
    clientId,
    refresh: async () => refreshRequest(await connected()),
    redemption: async () => (await obtainCode(await world(), { clientId: await clientId() })).redemption,
    async accessToken() {
      const { tokens } = await connected();
      // Whoever asks for it revokes it, and perhaps its grant.
      app = undefined;
      return tokens.access_token;
    },
    observeTokens(body) {
      const answered = body as ConnectedApp['tokens'] | undefined;
      if (app !== undefined && answered?.refresh_token) app = { ...app, tokens: answered };
    },
  };
}
