import type { RequestHandler } from 'express';

export type CorsRules = {
  methods: readonly string[];
  /** What a preflight may ask to send; `any`: whatever it asks for. */
  requestHeaders: readonly string[] | 'any';
  exposedHeaders: readonly string[];
};

/** Any origin, without credentials; answers the preflight. */
export function openToAnyOrigin({ methods, requestHeaders, exposedHeaders }: CorsRules): RequestHandler {
  const exposed = exposedHeaders.join(', ');
  return (req, res, next) => {
    res.setHeader('Access-Control-Allow-Origin', '*');
    res.setHeader('Access-Control-Expose-Headers', exposed);
    if (req.method !== 'OPTIONS') {
      next();
      return;
    }
    const asked = req.headers['access-control-request-headers'];
    const allowed = requestHeaders === 'any' ? asked : requestHeaders.join(', ');
    res.setHeader('Access-Control-Allow-Methods', methods.join(', '));
    if (allowed !== undefined) res.setHeader('Access-Control-Allow-Headers', allowed);
    res.setHeader('Access-Control-Max-Age', '86400');
    res.status(204).end();
  };
}

export const apiCorsRules = {
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  requestHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
  exposedHeaders: [
    'Allow',
    'Idempotency-Replayed',
    'RateLimit-Limit',
    'RateLimit-Remaining',
    'RateLimit-Reset',
    'Retry-After',
    'WWW-Authenticate',
    'X-Request-Id',
  ],
} satisfies CorsRules;

/** A page may call the API with a bearer header (specification §1). */
export const allowAnyOrigin = openToAnyOrigin(apiCorsRules);
