import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const requestIdHeader = 'X-Request-Id';
const yearSeconds = 31_536_000;

/**
 * The headers of every response: its id, no caching, no guessing of the media type, and HTTPS for a year where the
 * service has it (RFC 6797; hosts below the name may not be ours). Routes that are public replace Cache-Control.
 */
export function setResponseHeaders(baseUrl: string): RequestHandler {
  const isSecure = baseUrl.startsWith('https:');
  return (_req, res, next) => {
    // The client's own X-Request-Id is ignored: ids must be unique to find a request in the log.
    res.setHeader(requestIdHeader, randomUUID());
    res.setHeader('Cache-Control', 'no-store');
    res.setHeader('X-Content-Type-Options', 'nosniff');
    if (isSecure) res.setHeader('Strict-Transport-Security', `max-age=${yearSeconds}`);
    next();
  };
}

export function requestIdOf(res: Response): string {
  return String(res.getHeader(requestIdHeader) ?? '');
}
