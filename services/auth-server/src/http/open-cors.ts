import type { RequestHandler } from 'express';
import { openToAnyOrigin } from '#shared/http/cors.ts';

/**
 * For what clients in browsers ask without a token. They send headers of their own, such as MCP-Protocol-Version with
 * the metadata, so a preflight is granted whatever it asks for.
 */
export function openCors(methods: readonly string[]): RequestHandler {
  const exposedHeaders = ['Retry-After', 'WWW-Authenticate', 'X-Request-Id'];
  return openToAnyOrigin({ methods, requestHeaders: 'any', exposedHeaders });
}
