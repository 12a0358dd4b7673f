import { randomUUID } from 'node:crypto';
import type { Duplex } from 'node:stream';
import { invalidField } from '../errors/errors.ts';
import { toProblem } from './problem.ts';

const statusLines: Record<string, string> = {
  HPE_HEADER_OVERFLOW: '431 Request Header Fields Too Large',
  ERR_HTTP_REQUEST_TIMEOUT: '408 Request Timeout',
};

/**
 * Answers what Node's parser refuses before any middleware runs, in the API's error shape. The connection is
 * closed: after a malformed request nobody knows where the next one starts.
 */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const requestId = randomUUID();
  const body = JSON.stringify(
    toProblem(invalidField('request', 'The request is not valid HTTP.'), requestId),
  );
  const headers = [
    `HTTP/1.1 ${statusLines[error.code ?? ''] ?? '400 Bad Request'}`,
    'Access-Control-Allow-Origin: *',
    'Connection: close',
    'Content-Type: application/json; charset=utf-8',
    `Content-Length: ${Buffer.byteLength(body)}`,
    `X-Request-Id: ${requestId}`,
  ];
  socket.end(`${headers.join('\r\n')}\r\n\r\n${body}`);
}
