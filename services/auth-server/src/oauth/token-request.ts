import { apiRootOf, canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { scopes } from '#shared/scopes.ts';
import { withoutEmptyValues } from './authorization-request.ts';
import { OAuthError } from './oauth-error.ts';

/**
 * The token request as the package is to see it. Throws invalid_target for a resource that is not ours (RFC 8707
 * §2.2): the package would find out only after it has consumed the code or the refresh token.
 */
export function normaliseTokenRequest(given: URLSearchParams, baseUrl: string): URLSearchParams {
  const request = withoutEmptyValues(given);
  const resources = request.getAll('resource');
  if (resources.length > 0) {
    if (resources.some((value) => canonicalResource(value, baseUrl) === undefined)) {
      throw new OAuthError('invalid_target', 'the requested resource is not one of this server');
    }
    request.set('resource', apiRootOf(baseUrl));
  }
  if (request.getAll('scope').length === 1) narrowScope(request, request.get('scope') ?? '');
  return request;
}

/** Unknown scopes are dropped while a known one remains; none at all means all that were granted. */
function narrowScope(request: URLSearchParams, scope: string): void {
  const asked = scope.split(' ').filter((name) => name !== '');
  const known = scopes.filter((name) => asked.includes(name));
  if (asked.length === 0) request.delete('scope');
  else if (known.length > 0) request.set('scope', known.join(' '));
}
