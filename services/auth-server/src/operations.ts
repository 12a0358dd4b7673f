import type { HostOperation, Operation } from '#shared/http/operation.ts';
import { jwksOperation } from './keys/jwks-operation.ts';
import { metadataOperations } from './metadata/metadata-operations.ts';
import { authorizeOperation } from './oauth/authorize-operation.ts';
import { authorizePath, tokenPath } from './oauth/oauth-paths.ts';
import { registerOperation, registrationSchemas } from './oauth/register-operation.ts';
import { revokeOperation, tokenOperation, tokenResponseSchema } from './oauth/token-operations.ts';
import { tokenExchange } from './token-exchange/token-exchange-operation.ts';

/** What this service serves to programs, as data: resource-api makes the OpenAPI document of it. */
export const authServerOperations = {
  /** Below the API root. */
  api: [tokenExchange] satisfies Operation[],
  /** Of the host. */
  host: (baseUrl: string): HostOperation[] => [
    ...metadataOperations(baseUrl),
    registerOperation,
    authorizeOperation(baseUrl),
    tokenOperation(baseUrl),
    revokeOperation,
    jwksOperation,
  ],
  schemas: { ...registrationSchemas, TokenResponse: tokenResponseSchema },
  paths: { authorizePath, tokenPath },
};
