import type { RequestHandler } from 'express';
import type { Logger } from '../logging/logger.ts';
import { requestIdOf } from './request-id.ts';

/** One line per request. The query is left out: it may hold what nobody should have sent there. */
export function logRequests(logger: Logger): RequestHandler {
  return (req, res, next) => {
    const startedAt = performance.now();
    res.once('close', () => {
      const milliseconds = Math.round(performance.now() - startedAt);
      const line = {
        method: req.method,
        path: req.originalUrl.split('?', 1)[0],
        status: res.statusCode,
        milliseconds,
        requestId: requestIdOf(res),
      };
      if (res.writableFinished) logger.info(line, 'request');
      else logger.info({ ...line, isAborted: true }, 'request');
    });
    next();
  };
}
