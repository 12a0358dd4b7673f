import { jwksPath } from '#shared/contracts/oauth-paths.ts';
import { unlimitedOAuthErrors } from './oauth-errors.ts';
import { unlimitedHeadersWith } from './response-headers.ts';

const keySet = {
  type: 'object',
  required: ['keys'],
  additionalProperties: false,
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use'],
        additionalProperties: false,
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

export function keySetPath(): Record<string, Record<string, unknown>> {
  return {
    [jwksPath]: {
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
            headers: unlimitedHeadersWith('Access-Control-Allow-Origin', 'Cache-Control'),
            content: { 'application/json': { schema: keySet, example: exampleKeySet } },
          },
          ...unlimitedOAuthErrors([405, 500, 503]),
        },
      },
    },
  };
}
