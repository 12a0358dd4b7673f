import { randomUUID } from 'node:crypto';
import type { RequestHandler, Response } from 'express';

const requestIdHeader = 'X-Request-Id';
const yearSeconds = 31_536_000;

/**
 * The headers of every response: request id, no caching, no sniffing, and HSTS for a year with an https
 * BASE_URL (RFC 6797; without subdomains, which may not be ours). Public routes replace Cache-Control.
 */
export function setResponseHeaders(baseUrl: string): RequestHandler {
  const isSecure = baseUrl.startsWith('https:');
  return (_req, res, next) => {
    // A client's X-Request-Id is ignored, since ids in the log must be unique.
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
