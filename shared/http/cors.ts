import type { CorsOptions } from 'cors';

/** Any origin, without credentials. */
const anyOrigin = { origin: '*', maxAge: 86_400 } satisfies CorsOptions;

/** A page may call the API with a bearer header (specification §1). */
export const apiCors = {
  ...anyOrigin,
  methods: ['GET', 'HEAD', 'POST', 'PATCH', 'DELETE'],
  allowedHeaders: ['Authorization', 'Content-Type', 'Idempotency-Key'],
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
} satisfies CorsOptions;

/**
 * OAuth's endpoints and metadata: browsers request them without a token and with headers such as
 * MCP-Protocol-Version, so every requested header is allowed.
 */
export function oauthCors(methods: string[]): CorsOptions {
  return { ...anyOrigin, methods, exposedHeaders: ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'] };
}
