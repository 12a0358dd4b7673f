import type { RequestSource } from './load.ts';

export type RequestParts = {
  method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  /** With its query. */
  path: string;
  token?: string;
  /** The caller's address, as the gateway in front of the service would write it. */
  address?: string;
  /** Sent as JSON, or as it is when it is a text. */
  body?: unknown;
  contentType?: string;
  headers?: Readonly<Record<string, string>>;
};

/** The bytes of a request as a client sends them over a kept connection. */
export function encodeRequest(parts: RequestParts): Buffer {
  const {
    method = 'GET',
    path,
    token,
    address,
    body,
    contentType = 'application/json',
    headers = {},
  } = parts;
  const content = typeof body === 'string' || body === undefined ? (body ?? '') : JSON.stringify(body);
  const lines = [
    `${method} ${path} HTTP/1.1`,
    'Host: 127.0.0.1',
    'Accept: application/json',
    'User-Agent: bench',
    ...(token === undefined ? [] : [`Authorization: Bearer ${token}`]),
    ...(address === undefined ? [] : [`X-Forwarded-For: ${address}`]),
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    ...(content === '' ? [] : [`Content-Type: ${contentType}`]),
    ...(method === 'GET' ? [] : [`Content-Length: ${Buffer.byteLength(content)}`]),
  ];
  return Buffer.from(`${lines.join('\r\n')}\r\n\r\n${content}`);
}

/** 16 connections that share the requests, in turn, over and over. */
export function sharedSources(requests: readonly Buffer[], connections = usualConnections): RequestSource[] {
  let sent = 0;
  const next = (): Buffer => {
    const request = requests[sent % requests.length];
    sent += 1;
    if (request === undefined) throw new Error('there is no request to send');
    return request;
  };
  return Array.from({ length: connections }, () => ({ next }));
}

const usualConnections = 16;
