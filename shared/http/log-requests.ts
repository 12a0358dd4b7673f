import type { RequestHandler } from 'express';
import type { Logger } from '../logging/logger.ts';
import { requestIdOf } from './request-id.ts';
import { loggablePath, routeOf } from './request-route.ts';

/**
 * One line per request. The query is left out: it may hold what nobody should have sent there. `traceId` is asked
 * while the request runs; `assignRoute` has to come before.
 */
export function logRequests(logger: Logger, traceId: () => string | undefined): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    const trace = traceId();
    res.once('close', () => {
      const milliseconds = Math.round(performance.now() - startedAt);
      const line = {
        method: req.method,
        path: loggablePath(req.originalUrl, routeOf(res)),
        status: res.statusCode,
        milliseconds,
        requestId: requestIdOf(res),
        ...(trace !== undefined && { traceId: trace }),
      };
      if (res.writableFinished) logger.info(line, 'request');
      else logger.info({ ...line, isAborted: true }, 'request');
    });
    next();
  };
}
