import type { HostOperation } from '#shared/http/operation.ts';
import { jwksPath } from '../oauth/oauth-paths.ts';

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

const exampleKey = {
  kty: 'EC',
  crv: 'P-256',
  x: 'f83OJ3D2xF1Bg8vub9tLe1gHMzV76e8Tus9uPHvRVEU',
  y: 'x_FEzRu9m36HLN_tue659LNpXW6pCyStikYjKIWI5a0',
  kid: 'oKIywvGUpTVTyxMQ3bwIIeQUudfr_CkLMjCE19ECD-U',
  alg: 'ES256',
  use: 'sig',
};

export const jwksOperation: HostOperation = {
  operationId: 'getSigningKeys',
  method: 'get',
  path: jwksPath,
  summary: 'The public keys of access tokens',
  description:
    'A JSON Web Key Set (RFC 7517) to verify access tokens with. May be kept for 5 minutes. Needs no token.',
  isLimited: false,
  isOpenToOrigins: true,
  responses: {
    200: {
      description: 'Every key that may have signed a token which is still valid.',
      content: { 'application/json': { schema: keySet, example: { keys: [exampleKey] } } },
    },
  },
  sharedOAuthErrors: [405, 500, 503],
};
