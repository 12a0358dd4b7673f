import { randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import type { AppError } from '#shared/errors/app-error.ts';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { toProblem } from '#shared/http/problem.ts';

/** Answers for a service that is not asked, in the API's error shape and readable by pages of any origin. */
export function sendError(response: ServerResponse, error: AppError): void {
  const requestId = randomUUID();
  const body = JSON.stringify(toProblem(error, requestId));
  response.writeHead(errorCatalogue[error.code].status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Content-Length': Buffer.byteLength(body),
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    ...error.headers,
  });
  response.end(body);
}
