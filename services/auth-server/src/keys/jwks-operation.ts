import { constantSchema } from '#shared/http/constant-schema.ts';
import type { HostOperation } from '#shared/http/operation.ts';
import { jwksPath } from '../oauth/oauth-paths.ts';

const keySet = {
  type: 'object',
  required: ['keys'],
  properties: {
    keys: {
      type: 'array',
      items: {
        type: 'object',
        required: ['kty', 'crv', 'x', 'y', 'kid', 'alg', 'use'],
        properties: {
          kty: constantSchema('EC'),
          crv: constantSchema('P-256'),
          x: { type: 'string' },
          y: { type: 'string' },
          kid: { type: 'string', description: 'Id of the key; also in the header of a token.' },
          alg: constantSchema('ES256'),
          use: constantSchema('sig'),
        },
      },
    },
  },
};

export const jwksOperation: HostOperation = {
  operationId: 'getSigningKeys',
  method: 'get',
  path: jwksPath,
  summary: 'The public keys of access tokens',
  description:
    'A JSON Web Key Set (RFC 7517) to verify access tokens with. ' +
    'May be cached for 5 minutes. Needs no token.',
  isLimited: false,
  isOpenToOrigins: true,
  responses: {
    200: {
      description: 'Every key that may have signed a token which is still valid.',
      content: { 'application/json': { schema: keySet } },
    },
  },
  sharedOAuthErrors: [405, 500, 503],
};
