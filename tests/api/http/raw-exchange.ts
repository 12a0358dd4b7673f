import type { ApiResponse } from '#tests/support/api-client.ts';
import type { AccountClient } from '#tests/support/stack.ts';

export type HeaderLine = readonly [name: string, value: string];

/** The bytes of a request with just these headers as given; `target` is neither encoded nor normalised. */
export function requestBytes(
  method: string,
  target: string,
  headers: readonly HeaderLine[],
  body = '',
): string {
  const lines = [`${method} ${target} HTTP/1.1`, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return `${lines.join('\r\n')}\r\n\r\n${body}`;
}

/** What every well-formed request of one connection needs. */
export const plainHeaders: readonly HeaderLine[] = [
  ['Host', 'localhost'],
  ['Connection', 'close'],
];

export function authorization({ token }: AccountClient): HeaderLine {
  return ['Authorization', `Bearer ${token.secret}`];
}

/** An answer read from a socket, as the API client would have returned it. */
export function parsed({ status, headers, body }: ApiResponse<string>): ApiResponse<unknown> {
  return { status, headers, body: body === '' ? undefined : JSON.parse(body) };
}
