import type { RequestHandler } from 'express';

const yearSeconds = 31_536_000;

/**
 * Where the service is reached by https, browsers are told to come by nothing else for a year (RFC 6797). Hosts below
 * the name are left out: they may not be ours. Where TLS ends, another value may take this one's place.
 */
export function keepToHttps(baseUrl: string): RequestHandler {
  const isSecure = baseUrl.startsWith('https:');
  return (_req, res, next) => {
    if (isSecure) res.setHeader('Strict-Transport-Security', `max-age=${yearSeconds}`);
    next();
  };
}
