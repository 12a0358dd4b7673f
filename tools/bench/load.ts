import { connect, type Socket } from 'node:net';

export type RequestParts = {
  method?: 'GET' | 'POST';
  /** With its query. */
  path: string;
  token?: string;
  /** The client's address, as the gateway in front of the service would send it. */
  address?: string;
  /** Sent as JSON, or as a form when it is a text. */
  body?: object | string;
};

/** The bytes of a request over a kept connection. */
export function encodeRequest({ method = 'GET', path, token, address, body }: RequestParts): Buffer {
  const content = typeof body === 'object' ? JSON.stringify(body) : (body ?? '');
  const type = typeof body === 'object' ? 'application/json' : 'application/x-www-form-urlencoded';
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(address === undefined ? [] : [`X-Forwarded-For: ${address}`]),
    ...(content === '' ? [] : [`Content-Type: ${type}`]),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(content)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

/** What one connection sends, one request after the other. */
export type RequestSource = {
  next(): Buffer;
  /** Receives the body of each response; without it, bodies are discarded. */
  hear?(body: Buffer): void;
};

/** 16 connections that share the requests, in turn, over and over. */
export function sharedSources(requests: readonly Buffer[]): RequestSource[] {
  let sent = 0;
  const next = (): Buffer => {
    const request = requests[sent % requests.length];
    sent += 1;
    if (request === undefined) throw new Error('there is no request to send');
    return request;
  };
  return Array.from({ length: 16 }, () => ({ next }));
}

export type Load = {
  port: number;
  /** One for each connection. */
  sources: readonly RequestSource[];
  milliseconds: number;
  /** It ends sooner with so many; any number unless given. */
  requests?: number;
  /** Any other status ends the load with an Error. */
  expectedStatus: number;
  signal: AbortSignal;
};

/**
 * Sends one request after the other over each connection. No library: the bytes are made beforehand and
 * responses are hardly read, so that the client is not what is measured.
 */
export async function runLoad(load: Load): Promise<{ requests: number }> {
  const endsAt = performance.now() + load.milliseconds;
  let left = load.requests ?? Number.POSITIVE_INFINITY;
  const goesOn = (): boolean => performance.now() < endsAt && left-- > 0;
  const counts = await Promise.all(load.sources.map((source) => runConnection(load, source, goesOn)));
  return { requests: counts.reduce((sum, count) => sum + count, 0) };
}

function runConnection(load: Load, source: RequestSource, goesOn: () => boolean): Promise<number> {
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  let answered = 0;
  const socket = openConnection(
    load.port,
    load.signal,
    source.hear !== undefined,
    reject,
    ({ status, body }) => {
      if (status !== load.expectedStatus) {
        reject(new Error(`a response has status ${status}, not ${load.expectedStatus}: ${body}`));
        return;
      }
      source.hear?.(body);
      answered += 1;
      if (goesOn()) socket.write(source.next());
      else resolve(answered);
    },
  );
  socket.once('connect', () => socket.write(source.next()));
  return promise.finally(() => socket.destroy());
}

/** The response to one request. */
export function sendOnce(port: number, request: Buffer, signal: AbortSignal): Promise<RawResponse> {
  const { promise, resolve, reject } = Promise.withResolvers<RawResponse>();
  const socket = openConnection(port, signal, true, reject, resolve);
  socket.once('connect', () => socket.write(request));
  return promise.finally(() => socket.destroy());
}

type RawResponse = { status: number; body: Buffer };

/** `body` is empty unless bodies are kept. */
function openConnection(
  port: number,
  signal: AbortSignal,
  keepsBodies: boolean,
  onFailure: (error: unknown) => void,
  onResponse: (response: RawResponse) => void,
): Socket {
  const socket = connect({ port, host: '127.0.0.1', noDelay: true, signal });
  const read = createResponseReader(keepsBodies, onResponse);
  socket.on('data', (bytes: Buffer) => {
    try {
      read(bytes);
    } catch (error) {
      onFailure(error);
    }
  });
  socket.on('error', onFailure);
  socket.on('end', () => onFailure(new Error(`the server on port ${port} closed the connection`)));
  return socket;
}

const endOfHead = Buffer.from('\r\n\r\n');

/** Reads the status and length of each response. Throws if a response has no length. */
function createResponseReader(
  keepsBodies: boolean,
  onResponse: (response: RawResponse) => void,
): (bytes: Buffer) => void {
  let head: Buffer = Buffer.alloc(0);
  let status = 0;
  let missing = 0;
  let kept: Buffer[] = [];
  const readBody = (bytes: Buffer): void => {
    missing -= bytes.length;
    if (missing < 0) throw new Error('the server sent more than it announced');
    if (keepsBodies) kept.push(bytes);
    if (missing > 0) return;
    const body = Buffer.concat(kept);
    kept = [];
    onResponse({ status, body });
  };
  return (bytes) => {
    if (missing > 0) return readBody(bytes);
    const received = head.length === 0 ? bytes : Buffer.concat([head, bytes]);
    const end = received.indexOf(endOfHead);
    head = end < 0 ? received : Buffer.alloc(0);
    if (end < 0) return;
    const text = received.toString('latin1', 0, end);
    status = Number(text.slice(9, 12));
    const length = /\r\ncontent-length: *(\d+)/i.exec(text)?.[1] ?? (status === 204 ? '0' : undefined);
    if (length === undefined) throw new Error(`a response without Content-Length: ${text.slice(0, 200)}`);
    missing = Number(length);
    readBody(received.subarray(end + endOfHead.length));
  };
}
