import { connect } from 'node:net';
import { text } from 'node:stream/consumers';
import type { JsonObject } from './api-types.ts';
import { type Exchange, mediaTypeOf } from './check-response.ts';

export type ApiResponse<Body = JsonObject> = { status: number; headers: Headers; body: Body };

type RequestOptions = { headers?: Record<string, string> };

/**
 * A request's body: nothing, JSON, a string or bytes sent as they are, or a form. Strings and bytes are sent
 * as application/json unless a Content-Type is given; '' sends none.
 */
type RequestBody = unknown;

export type ApiClient = {
  get<Body = JsonObject>(path: string, options?: RequestOptions): Promise<ApiResponse<Body>>;
  delete<Body = JsonObject>(path: string, options?: RequestOptions): Promise<ApiResponse<Body>>;
  post<Body = JsonObject>(
    path: string,
    body?: RequestBody,
    options?: RequestOptions,
  ): Promise<ApiResponse<Body>>;
  patch<Body = JsonObject>(
    path: string,
    body?: RequestBody,
    options?: RequestOptions,
  ): Promise<ApiResponse<Body>>;
  request<Body = JsonObject>(
    method: string,
    path: string,
    options?: RequestOptions & { body?: RequestBody },
  ): Promise<ApiResponse<Body>>;
  /** The same client with further headers on every request. */
  with(headers: Record<string, string>): ApiClient;
  /** Sends raw bytes, for malformed HTTP, and reads until the connection closes. Not checked. */
  raw(requestBytes: string | Uint8Array): Promise<ApiResponse<string>>;
};

export type ClientOptions = {
  /** Base URL of the paths. */
  root: string;
  headers?: Record<string, string>;
  /** Throws when the exchange breaks the contract. */
  check(exchange: Exchange): Promise<void> | void;
};

/** A client that checks every response before it returns it. Redirects are not followed. */
export function createApiClient({ root, headers: fixedHeaders = {}, check }: ClientOptions): ApiClient {
  const request: ApiClient['request'] = async (method, path, { body, headers = {} } = {}) => {
    const url = new URL(root + path);
    const sent = encodeBody(body, new Headers({ ...fixedHeaders, ...headers }));
    const response = await fetch(url, { method, headers: sent.headers, body: sent.body, redirect: 'manual' });
    const answer = { status: response.status, headers: response.headers, body: await readBody(response) };
    const mediaType = mediaTypeOf(sent.headers.get('content-type'));
    await check({ method, pathname: url.pathname, request: { mediaType, json: sent.json }, ...answer });
    // The check has compared the body with its documented type, which the caller names.
    return answer as ApiResponse<never>;
  };
  return {
    request,
    get: (path, options) => request('GET', path, options),
    delete: (path, options) => request('DELETE', path, options),
    post: (path, body, options) => request('POST', path, { ...options, body }),
    patch: (path, body, options) => request('PATCH', path, { ...options, body }),
    with: (headers) => createApiClient({ root, headers: { ...fixedHeaders, ...headers }, check }),
    raw: (requestBytes) => sendRaw(root, requestBytes),
  };
}

type EncodedBody = { headers: Headers; body: Buffer<ArrayBuffer> | URLSearchParams | null; json: unknown };

function encodeBody(body: unknown, headers: Headers): EncodedBody {
  if (body === undefined) return { headers, body: null, json: undefined };
  if (body instanceof URLSearchParams) return { headers, body, json: undefined };
  const isVerbatim = typeof body === 'string' || body instanceof Uint8Array;
  // Unlike a string, a Buffer sets no content type.
  const bytes = Buffer.from(isVerbatim ? body : JSON.stringify(body));
  if (!headers.has('content-type')) headers.set('content-type', 'application/json');
  if (headers.get('content-type') === '') headers.delete('content-type');
  return { headers, body: bytes, json: parseJson(bytes.toString()) };
}

async function readBody(response: Response): Promise<unknown> {
  const text = await response.text();
  if (text === '') return undefined;
  return /\bjson\b/.test(response.headers.get('content-type') ?? '') ? JSON.parse(text) : text;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Sends bytes over a new connection and reads the first response until the connection ends. */
async function sendRaw(
  origin: string,
  requestBytes: string | Uint8Array,
): Promise<{ status: number; headers: Headers; body: string }> {
  const { hostname, port } = new URL(origin);
  const socket = connect({ host: hostname, port: Number(port), allowHalfOpen: true });
  socket.setTimeout(10_000, () => socket.destroy(new Error('the server kept the connection open for 10 s')));
  socket.write(requestBytes);
  const received = await text(socket);
  socket.destroy();
  const [head = '', ...body] = received.split('\r\n\r\n');
  const [statusLine = '', ...headerLines] = head.split('\r\n');
  const status = Number(/^HTTP\/1\.[01] (\d{3})/.exec(statusLine)?.[1]);
  if (!Number.isInteger(status))
    throw new Error(`no HTTP response: ${JSON.stringify(received.slice(0, 200))}`);
  const headers = headerLines.map((line): [string, string] => {
    const colon = line.indexOf(':');
    return [line.slice(0, colon), line.slice(colon + 1).trim()];
  });
  return { status, headers: new Headers(headers), body: body.join('\r\n\r\n') };
}
