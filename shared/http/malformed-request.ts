import { randomUUID } from 'node:crypto';
import type { RequestListener } from 'node:http';
import type { Duplex } from 'node:stream';
import type { AppError } from '../errors/app-error.ts';
import { invalidField } from '../errors/errors.ts';
import { STATUS_CODES } from './node-http.ts';
import { toProblem } from './problem.ts';

type Refusal = { status: number; fault: string };

const malformed: Refusal = { status: 400, fault: 'The request is not valid HTTP.' };
const refusals: Record<string, Refusal> = {
  HPE_HEADER_OVERFLOW: { status: 431, fault: 'The request line and the headers are too long.' },
  ERR_HTTP_REQUEST_TIMEOUT: { status: 408, fault: 'The request did not arrive in time.' },
};

export function malformedRequest(): AppError {
  return invalidField('request', malformed.fault);
}

/**
 * Answers what Node's parser refuses before any middleware runs, in the API's error shape. The connection is
 * closed: after a malformed request nobody knows where the next one starts.
 */
export function answerMalformedRequest(error: Error & { code?: string }, socket: Duplex): void {
  if (error.code === 'ECONNRESET' || !socket.writable) {
    socket.destroy();
    return;
  }
  const { status, headers, body } = render(refusals[error.code ?? ''] ?? malformed);
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`);
}

/**
 * Refuses a request that names several hosts, or none in HTTP/1.1 (RFC 9112 §3.2). Node's own check answers without
 * a body, and takes the first of several.
 */
export function requireOneHost(app: RequestListener): RequestListener {
  return (req, res) => {
    const hosts = req.headersDistinct.host?.length ?? 0;
    if (hosts === 1 || (hosts === 0 && req.httpVersion === '1.0')) {
      app(req, res);
      return;
    }
    const { status, headers, body } = render(malformed);
    res.writeHead(status, headers).end(body);
  };
}

function render({ status, fault }: Refusal) {
  const requestId = randomUUID();
  const body = JSON.stringify(toProblem(invalidField('request', fault), requestId));
  const headers = {
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'X-Request-Id',
    'Cache-Control': 'no-store',
    Connection: 'close',
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
  };
  return { status, headers, body };
}
