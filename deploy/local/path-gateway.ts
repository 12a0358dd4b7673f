import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { ServerResponse } from 'node:http';
import { createProxyServer } from 'httpxy';
import type { AppError } from '#shared/errors/app-error.ts';
import { errorCatalogue } from '#shared/errors/error-catalogue.ts';
import { serviceUnavailable } from '#shared/errors/errors.ts';
import { createGracefulStop } from '#shared/http/graceful-stop.ts';
import { ownerOfPath, type ServiceName } from '#shared/http/path-ownership.ts';
import { toProblem } from '#shared/http/problem.ts';
import { createApiServer } from '#shared/http/run-server.ts';

/** `portOf`: the service's port on 127.0.0.1; undefined while it is down. */
type PathGatewayOptions = { port: number; host: string; portOf(service: ServiceName): number | undefined };

const graceMilliseconds = 5_000;

/** Routes each request to the owner of its path. Rejects with EADDRINUSE if the port is in use. */
export async function openPathGateway({ port, host, portOf }: PathGatewayOptions) {
  const proxy = createProxyServer();
  const server = createApiServer((request, response) => {
    const servicePort = portOf(ownerOfPath((request.url ?? '').split('?', 1).join()));
    if (servicePort === undefined) return sendError(response, serviceUnavailable(undefined));
    // The services trust only the last entry (shared/rate-limit/client-address.ts).
    const addresses = [request.headers['x-forwarded-for'], request.socket.remoteAddress ?? 'unknown'];
    const forwarded = { 'x-forwarded-for': addresses.flat().filter(Boolean).join(', ') };
    // Node keeps the first of repeated headers; the service must refuse them.
    const authorization = request.headersDistinct.authorization?.join(', ');
    // The proxy would remove headers named in the client's Connection, even X-Forwarded-For (RFC 9110
    // §7.6.1).
    const isLast = /(^|,)\s*close\s*(,|$)/i.test(request.headers.connection ?? '');
    request.headers.connection = isLast ? 'close' : 'keep-alive';
    const headers = { ...forwarded, ...(authorization !== undefined && { authorization }) };
    proxy.web(request, response, { target: `http://127.0.0.1:${servicePort}`, headers }).catch((error) => {
      if (response.headersSent) response.destroy();
      else sendError(response, serviceUnavailable(error));
    });
  });
  await once(server.listen(port, host), 'listening');
  const gracefulStop = createGracefulStop(server);
  return {
    /** Stops accepting, finishes requests in progress, and aborts those that exceed the grace period. */
    close: () => gracefulStop.finish(graceMilliseconds),
  };
}

/** An error of the API, with CORS. */
function sendError(response: ServerResponse, error: AppError): void {
  const requestId = randomUUID();
  response.writeHead(errorCatalogue[error.code].status, {
    'Content-Type': 'application/json; charset=utf-8',
    'Cache-Control': 'no-store',
    'X-Content-Type-Options': 'nosniff',
    'X-Request-Id': requestId,
    'Access-Control-Allow-Origin': '*',
    'Access-Control-Expose-Headers': 'Retry-After, X-Request-Id',
    ...error.headers,
  });
  response.end(JSON.stringify(toProblem(error, requestId)));
}
