import type { ErrorResponses } from './error-responses.ts';
import { headersWith } from './response-headers.ts';

type PathItem = Record<string, unknown>;

/** The paths that show this document. */
export function documentationPaths(errors: ErrorResponses): Record<string, PathItem> {
  const failures = errors.referTo(['rate_limited', 'internal_error']);
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

const keySet = {
  type: 'object',
  required: ['keys'],
  additionalProperties: true,
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use'],
        additionalProperties: true,
        properties: {
          kty: { const: 'EC' },
          crv: { const: 'P-256' },
          x: { type: 'string' },
          y: { type: 'string' },
          kid: { type: 'string', description: 'Names the key; the same as in the header of a token.' },
          alg: { const: 'ES256' },
          use: { const: 'sig' },
        },
      },
    },
  },
};

const exampleKeySet = {
  keys: [
    {
      kty: 'EC',
      crv: 'P-256',
      x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
      y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
      kid: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
      alg: 'ES256',
      use: 'sig',
    },
  ],
};

/** Paths of the host outside the API root, which name their own server. */
export function hostPaths(baseUrl: string, errors: ErrorResponses): Record<string, PathItem> {
  return {
    '/oauth/jwks': {
      servers: [{ url: baseUrl, description: 'The host itself.' }],
      get: {
        operationId: 'getSigningKeys',
        tags: ['OAuth'],
        summary: 'The public keys of access tokens',
        description:
          'A JSON Web Key Set (RFC 7517) to verify access tokens with. May be kept for 5 minutes. Needs no token.',
        security: [],
        responses: {
          200: {
            description: 'Every key that may have signed a token which is still valid.',
            headers: { 'X-Request-Id': { $ref: '#/components/headers/X-Request-Id' } },
            content: { 'application/json': { schema: keySet, example: exampleKeySet } },
          },
          ...errors.referTo(['method_not_allowed', 'internal_error', 'service_unavailable']),
        },
      },
    },
  };
}
