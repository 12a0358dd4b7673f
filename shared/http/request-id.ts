import { randomUUID } from 'node:crypto';
import type { NextFunction, Request, Response } from 'express';

const requestIdHeader = 'X-Request-Id';

/** Log, metrics, traces, budget, load and the sending of a stream each wait for the end of the answer. */
const mostListeners = 20;

/**
 * Names each request. A caller's own X-Request-Id is not taken over: ids must be unique to find a
 * request in the log, and a caller could choose another's.
 */
export function assignRequestId(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader(requestIdHeader, randomUUID());
  res.setMaxListeners(mostListeners);
  next();
}

export function requestIdOf(res: Response): string {
  return String(res.getHeader(requestIdHeader) ?? '');
}
