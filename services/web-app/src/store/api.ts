import { type AppSessionToken, appSessionPath, commandHeader } from '#shared/app/app-protocol.ts';
import { ConnectionFailure, SignedOut } from './errors.ts';

export type Answer = {
  status: number;
  body: unknown;
  retryAfterSeconds: number | null;
  requestId: string | null;
};

export type ApiRequest = {
  method: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  path: string;
  body?: object | null;
  idempotencyKey?: string;
  command?: string;
};

/** The service over HTTP, signed in. Both throw ConnectionFailure and SignedOut. */
export type Api = {
  /** Ensures a token before requests. */
  signIn(): Promise<void>;
  send(request: ApiRequest): Promise<Answer>;
  stream(path: string, signal: AbortSignal): Promise<Response>;
};

const tokenPath = `${appSessionPath}/token`;
/** Share of a token's lifetime after which the next request renews it. */
const renewalShare = 0.8;
const timeoutMilliseconds = 30_000;

/** Holds the access token that the browser's cookie gets. A token is not used if `onToken` throws. */
export function createApi(onToken: (token: AppSessionToken) => void, fetch = globalThis.fetch): Api {
  let held: { accessToken: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  async function reach(path: string, init: RequestInit): Promise<Response> {
    try {
      return await fetch(path, { ...init, cache: 'no-store' });
    } catch {
      throw new ConnectionFailure(null);
    }
  }

  async function requestToken(): Promise<string> {
    const response = await reach(tokenPath, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json' },
      body: '{}',
      signal: AbortSignal.timeout(timeoutMilliseconds),
    });
    if (response.status === 401) throw new SignedOut();
    if (!response.ok) throw new ConnectionFailure(retryAfter(response));
    const token: AppSessionToken = await readJson(response);
    onToken(token);
    held = { accessToken: token.accessToken, renewAt: Date.now() + token.expiresIn * 1000 * renewalShare };
    return token.accessToken;
  }

  async function token(): Promise<string> {
    if (held !== undefined && held.renewAt > Date.now()) return held.accessToken;
    pending ??= requestToken().finally(() => {
      pending = undefined;
    });
    return pending;
  }

  /** A refused token is replaced once. */
  async function call(path: string, init: RequestInit): Promise<Response> {
    const first = await token();
    const response = await reach(path, withToken(init, first));
    if (response.status !== 401) return response;
    await response.body?.cancel();
    if (held?.accessToken === first) held = undefined;
    const again = await reach(path, withToken(init, await token()));
    if (again.status === 401) throw new SignedOut();
    return again;
  }

  return {
    signIn: async () => void (await token()),
    async send({ method, path, body, idempotencyKey, command }) {
      const headers: Record<string, string> = {};
      if (body != null) headers['Content-Type'] = 'application/json';
      if (idempotencyKey !== undefined) headers['Idempotency-Key'] = idempotencyKey;
      if (command !== undefined) headers[commandHeader] = command;
      const content = body == null ? null : JSON.stringify(body);
      const signal = AbortSignal.timeout(timeoutMilliseconds);
      const response = await call(path, { method, headers, signal, body: content });
      return {
        status: response.status,
        body: await readBody(response),
        retryAfterSeconds: retryAfter(response),
        requestId: response.headers.get('X-Request-Id'),
      };
    },
    stream: (path, signal) => call(path, { method: 'GET', signal }),
  };
}

function withToken(init: RequestInit, accessToken: string): RequestInit {
  return { ...init, headers: { ...init.headers, Authorization: `Bearer ${accessToken}` } };
}

async function readBody(response: Response): Promise<unknown> {
  if (response.status === 204) return null;
  // A proxy may respond with an HTML page: to what was sent, a successful one is no answer.
  if (!response.ok && !response.headers.get('Content-Type')?.includes('json')) return null;
  return readJson(response);
}

async function readJson<Body>(response: Response): Promise<Body> {
  try {
    return (await response.json()) as Body;
  } catch {
    throw new ConnectionFailure(null);
  }
}

function retryAfter(response: Response): number | null {
  const seconds = Number(response.headers.get('Retry-After') ?? Number.NaN);
  return Number.isFinite(seconds) ? seconds : null;
}
