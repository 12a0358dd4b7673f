import type { ErrorResponses } from './error-responses.ts';
import { headersWith } from './response-headers.ts';

type PathItem = Record<string, unknown>;

/** The paths that show this document. */
export function documentationPaths(errors: ErrorResponses): Record<string, PathItem> {
  const failures = errors.referTo(['rate_limited', 'internal_error', 'service_unavailable']);
  const unchanged = {
    description: 'Not changed since the version named in If-None-Match.',
    headers: headersWith(),
  };
  return {
    '/openapi.json': {
      get: {
        operationId: 'getOpenApiDocument',
        tags: ['Documentation'],
        summary: 'This document',
        description: 'OpenAPI 3.1. Needs no token.',
        security: [],
        responses: {
          200: {
            description: 'The document.',
            headers: headersWith(),
            content: { 'application/json': { schema: { type: 'object', additionalProperties: true } } },
          },
          304: unchanged,
          ...failures,
        },
      },
    },
    '/docs': {
      get: {
        operationId: 'getReferencePage',
        tags: ['Documentation'],
        summary: 'The interactive reference',
        description: 'A page for people, on which every operation can be tried. Needs no token.',
        security: [],
        responses: {
          200: {
            description: 'The page.',
            headers: headersWith(),
            content: { 'text/html': { schema: { type: 'string' } } },
          },
          304: unchanged,
          ...failures,
        },
      },
    },
  };
}
