import type { RequestHandler } from 'express';
import type { Logger } from '../logging/logger.ts';
import { pathOf, routeOf } from './request-route.ts';
import { requestIdOf } from './response-headers.ts';

/** One line per request, without its query, which may contain a token. Must run after `assignRoute`. */
export function logRequests(logger: Logger, traceId: () => string | undefined): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const trace = traceId();
    // Logs, metrics, traces, limits and a streamed body each have their own.
    res.setMaxListeners(20);
    res.once('close', () => {
      const line = {
        method: req.method,
        path: loggablePath(req.originalUrl, routeOf(res)),
        status: res.statusCode,
        milliseconds: Math.round(performance.now() - startedAt),
        requestId: requestIdOf(res),
        ...(trace !== undefined && { traceId: trace }),
        ...(!res.writableFinished && { isAborted: true }),
      };
      logger.info(line, 'request');
    });
    next();
  };
}

/** Shorter than any token, code, authorization id, cookie or verifier. */
const shortSegment = 20;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** Paths may contain pasted tokens: only segments of the route, UUIDs and short segments are logged. */
export function loggablePath(url: string, route: string): string {
  const words = new Set(route.split('/'));
  const isHarmless = (segment: string): boolean =>
    segment.length < shortSegment || uuid.test(segment) || words.has(segment);
  return pathOf(url)
    .split('/')
    .map((segment) => (isHarmless(segment) ? segment : '…'))
    .join('/');
}
