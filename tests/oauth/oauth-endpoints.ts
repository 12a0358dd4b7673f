import { createHash, randomBytes } from 'node:crypto';

export type Answer<Body = Record<string, unknown>> = { status: number; headers: Headers; body: Body };

export type TokenAnswer = {
  access_token: string;
  refresh_token: string;
  token_type: string;
  expires_in: number;
  scope: string;
  error?: string;
};

export type Parameters = Readonly<Record<string, string | readonly string[] | undefined>>;

/** OAuth's endpoints as a client without a library sees them. Redirects are answers, not followed. */
export type OAuthEndpoints = {
  register(metadata?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** The address a client sends its user to. */
  authorizeUrl(parameters: Parameters): string;
  authorize(parameters: Parameters, headers?: Record<string, string>): Promise<Answer<string>>;
  token(parameters: Parameters, headers?: Record<string, string>): Promise<Answer<TokenAnswer>>;
  revoke(parameters: Parameters, headers?: Record<string, string>): Promise<Answer<string>>;
  /** An API request with an access token; its status. */
  me(accessToken: string): Promise<number>;
};

export function createOAuthEndpoints(baseUrl: string): OAuthEndpoints {
  const post = async (path: string, body: string, headers: Record<string, string>) =>
    fetch(baseUrl + path, { method: 'POST', body, headers, redirect: 'manual' });
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const authorizeUrl = (parameters: Parameters) => `${baseUrl}/oauth/authorize?${encode(parameters)}`;
  return {
    authorizeUrl,
    async register(metadata = { redirect_uris: [defaultRedirectUri] }, headers = {}) {
      const json = { 'content-type': 'application/json', ...headers };
      return readJson(await post('/oauth/register', JSON.stringify(metadata), json));
    },
    async authorize(parameters, headers = {}) {
      const response = await fetch(authorizeUrl(parameters), { headers, redirect: 'manual' });
      return { status: response.status, headers: response.headers, body: await response.text() };
    },
    async token(parameters, headers = {}) {
      return readJson<TokenAnswer>(await post('/oauth/token', encode(parameters), { ...form, ...headers }));
    },
    async revoke(parameters, headers = {}) {
      const response = await post('/oauth/revoke', encode(parameters), { ...form, ...headers });
      return { status: response.status, headers: response.headers, body: await response.text() };
    },
    async me(accessToken) {
      const headers = { authorization: `Bearer ${accessToken}` };
      const response = await fetch(`${baseUrl}/api/public/v1/me`, { headers });
      await response.body?.cancel();
      return response.status;
    },
  };
}

export const defaultRedirectUri = 'https://app.example.com/callback';

/** A verifier and its challenge (RFC 7636 §4.1 and §4.2). */
export function createPkce(): { verifier: string; challenge: string } {
  const verifier = randomBytes(32).toString('base64url');
  return { verifier, challenge: createHash('sha256').update(verifier).digest('base64url') };
}

function encode(parameters: Parameters): string {
  const encoded = new URLSearchParams();
  for (const [name, values] of Object.entries(parameters)) {
    for (const value of [values ?? []].flat()) encoded.append(name, value);
  }
  return encoded.toString();
}

async function readJson<Body = Record<string, unknown>>(response: Response): Promise<Answer<Body>> {
  return { status: response.status, headers: response.headers, body: (await response.json()) as Body };
}
