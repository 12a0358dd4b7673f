import type { RequestHandler } from 'express';

/**
 * Any origin, without credentials, for what clients in browsers ask without a token. A preflight is granted whatever
 * headers it asks for: clients send ones of their own, such as MCP-Protocol-Version with the metadata.
 */
export function openCors(methods: readonly string[]): RequestHandler {
  return (req, res, next) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', 'Retry-After, WWW-Authenticate, X-Request-Id');
    if (req.method !== 'OPTIONS') {
      next();
      return;
    }
    res.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    const requested = req.headers['access-control-request-headers'];
    if (requested !== undefined) res.setHeader('Access-Control-Allow-Headers', requested);
    res.setHeader('Access-Control-Max-Age', '86400');
    res.status(204).end();
  };
}
