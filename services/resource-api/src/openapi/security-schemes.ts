import { authServerOperations } from '#auth-server/operations.ts';
import { type Scope, scopeLabels, scopes } from '#shared/scopes.ts';

const bearerScheme = 'bearerToken';
const oauthScheme = 'oauth2';

export function securitySchemes(baseUrl: string): Record<string, Record<string, unknown>> {
  const { authorizePath, tokenPath } = authServerOperations.paths;
  return {
    [bearerScheme]: {
      type: 'http',
      scheme: 'bearer',
      description:
        `A personal token (\`tms_…\`, created in [Settings, API](${baseUrl}/settings/api)) or an ` +
        'access token. Each operation lists the scope it needs.',
    },
    [oauthScheme]: {
      type: 'oauth2',
      description:
        'For apps: the access token of a connected app, with PKCE (`S256`) and without a client secret.',
      flows: {
        authorizationCode: {
          authorizationUrl: `${baseUrl}${authorizePath}`,
          tokenUrl: `${baseUrl}${tokenPath}`,
          refreshUrl: `${baseUrl}${tokenPath}`,
          scopes: Object.fromEntries(scopes.map((scope) => [scope, scopeLabels[scope].meaning])),
        },
      },
    },
  };
}

/** Either kind of token will do. A bearer scheme lists the roles its caller needs (OpenAPI 3.1 §4.8.30). */
export function securityOf(scope: Scope | null): Record<string, Scope[]>[] {
  return scope === null ? [] : [{ [bearerScheme]: [scope] }, { [oauthScheme]: [scope] }];
}
