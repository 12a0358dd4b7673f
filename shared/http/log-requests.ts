import type { RequestHandler } from 'express';
import type { Logger } from '../logging/logger.ts';
import { pathOf, routeOf } from './request-route.ts';
import { requestIdOf } from './response-headers.ts';

/** One line per request, without its query, which may hold a token. `assignRoute` has to come before. */
export function logRequests(logger: Logger, traceId: () => string | undefined): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const trace = traceId();
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

/** Shorter than any token, code, id of a waiting authorization, cookie or verifier. */
const shortSegment = 20;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/** People paste tokens into addresses: of a path are shown the words of its route, UUIDs and what is short. */
export function loggablePath(url: string, route: string): string {
  const words = new Set(route.split('/'));
  const isHarmless = (segment: string): boolean =>
    segment.length < shortSegment || uuid.test(segment) || words.has(segment);
  return pathOf(url)
    .split('/')
    .map((segment) => (isHarmless(segment) ? segment : '…'))
    .join('/');
}
