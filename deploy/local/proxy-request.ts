import {
  type Agent,
  type ClientRequest,
  type IncomingMessage,
  request as openRequest,
  type ServerResponse,
} from 'node:http';
import { invalidField, serviceUnavailable } from '#shared/errors/errors.ts';
import { endToEndHeaders } from './forwarded-headers.ts';
import { sendError } from './gateway-answer.ts';

export type ProxyTarget = {
  port: number;
  agent: Agent;
  path: string;
  headers: ReadonlyMap<string, readonly string[]>;
};

/** A service that says nothing for this long has lost the request. */
const ANSWER_TIMEOUT_MILLISECONDS = 60_000;

/** Sends the request on as it came and streams the answer back; a service that can't be reached is a 503. */
export function proxyRequest(request: IncomingMessage, response: ServerResponse, target: ProxyTarget): void {
  let upstream: ClientRequest;
  try {
    upstream = openUpstream(request, target);
  } catch {
    sendError(response, invalidField('request', 'The request is not valid HTTP.'));
    return;
  }
  upstream.setTimeout(ANSWER_TIMEOUT_MILLISECONDS, () => upstream.destroy(new Error('no answer in time')));
  upstream.once('continue', () => {
    if (request.httpVersion !== '1.0') response.writeContinue();
  });
  upstream.once('response', (answer) => {
    upstream.setTimeout(0);
    relayAnswer(answer, response);
  });
  upstream.on('error', (error) => {
    if (!response.headersSent) sendError(response, serviceUnavailable(error));
    else if (!response.writableEnded) response.destroy();
  });
  response.once('close', () => {
    if (!response.writableFinished || !upstream.writableFinished) upstream.destroy();
    // What the service did not want to read must not block the next request of this connection.
    request.unpipe(upstream);
    request.resume();
  });
  request.pipe(upstream);
}

function openUpstream(request: IncomingMessage, target: ProxyTarget): ClientRequest {
  const upstream = openRequest({
    agent: target.agent,
    host: '127.0.0.1',
    port: target.port,
    method: request.method,
    path: target.path,
  });
  // Until it is piped there is nobody to hear of an error, and a half-made request must not bring the gateway down.
  upstream.once('error', () => undefined);
  try {
    for (const [name, values] of target.headers) upstream.setHeader(name, values);
    keepFraming(request, upstream);
    // The service may refuse the request, or say that it wants the body, before the caller sends any of it.
    upstream.flushHeaders();
  } catch (error) {
    upstream.destroy();
    throw error;
  }
  return upstream;
}

/** A body is announced as the caller announced it, and a request without one stays without one. */
function keepFraming(request: IncomingMessage, upstream: ClientRequest): void {
  if (request.headers['transfer-encoding'] !== undefined) {
    upstream.setHeader('transfer-encoding', 'chunked');
  } else if (request.headers['content-length'] === undefined) {
    upstream.removeHeader('content-length');
    upstream.removeHeader('transfer-encoding');
  }
}

function relayAnswer(answer: IncomingMessage, response: ServerResponse): void {
  response.sendDate = false;
  response.writeHead(answer.statusCode ?? 502, answer.statusMessage, endToEndHeaders(answer).flat());
  // An event stream may have nothing to say for a while; its headers must not wait for that.
  response.flushHeaders();
  answer.once('close', () => {
    if (!answer.complete) response.destroy();
  });
  answer.pipe(response);
}
