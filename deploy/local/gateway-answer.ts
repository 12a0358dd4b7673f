import { randomUUID } from 'node:crypto';
import { type ServerResponse, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';

export type GatewayAnswer = {
  status: number;
  errorType: string;
  errorCode: string;
  message: string;
  headers?: Record<string, string>;
};

export const NOT_FOUND: GatewayAnswer = {
  status: errorCatalogue.not_found.status,
  errorType: errorCatalogue.not_found.type,
  errorCode: 'not_found',
  message: errorCatalogue.not_found.message,
};

export const UNAVAILABLE: GatewayAnswer = {
  status: errorCatalogue.service_unavailable.status,
  errorType: errorCatalogue.service_unavailable.type,
  errorCode: 'service_unavailable',
  message: errorCatalogue.service_unavailable.message,
  headers: { 'Retry-After': '1' },
};

export const MALFORMED: GatewayAnswer = {
  status: errorCatalogue.validation_error.status,
  errorType: errorCatalogue.validation_error.type,
  errorCode: 'validation_error',
  message: 'This is not a valid HTTP request.',
};

export const HEADERS_TOO_LARGE: GatewayAnswer = {
  status: 431,
  errorType: 'request',
  errorCode: 'headers_too_large',
  message: 'The request line and headers are too large.',
};

export const TOO_SLOW: GatewayAnswer = {
  status: 408,
  errorType: 'request',
  errorCode: 'request_timeout',
  message: 'The request took too long to arrive.',
};

/** Answers with the API's error shape. */
export function sendAnswer(response: ServerResponse, answer: GatewayAnswer): void {
  const { headers, body } = render(answer);
  response.writeHead(answer.status, headers);
  response.end(body);
}

/** For a request that never became one: written to the connection as it is, which is then closed. */
export function sendRawAnswer(socket: Duplex, answer: GatewayAnswer): void {
  const { headers, body } = render(answer);
  const lines = Object.entries({ ...headers, Connection: 'close' }).map(
    ([name, value]) => `${name}: ${value}`,
  );
  socket.end(
    `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
}

function render(answer: GatewayAnswer): { headers: Record<string, string>; body: string } {
  const { errorType, errorCode, message } = answer;
  const requestId = randomUUID();
  const body = JSON.stringify({ errorType, errorCode, message, requestId });
  const headers = {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': String(Buffer.byteLength(body)),
    'Cache-Control': 'no-store',
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    ...answer.headers,
  };
  return { headers, body };
}
