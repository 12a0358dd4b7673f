import { canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { everyScope, knownScopes } from '#shared/scopes.ts';
import { withoutEmptyValues } from './oauth-form.ts';

/** The supported parameters; others are ignored (RFC 6749 §3.1). */
const passedOn = [
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  // oidc-provider refuses these with their own error codes.
  'request',
  'request_uri',
];

/** A value that makes oidc-provider return the parameter's error. */
const unsupported = 'unsupported';

/**
 * The authorization request, normalised and delegated to oidc-provider. Repeated parameters stay repeated,
 * and are refused by it. Every spelling of our resource becomes the API root, unknown scopes are dropped if a
 * known one remains, and unsupported response modes and types get an unknown name, which it refuses by query.
 */
export function normaliseAuthorizationRequest(given: URLSearchParams, baseUrl: string): URLSearchParams {
  const query = withoutEmptyValues(given);
  const request = new URLSearchParams();
  for (const name of passedOn) for (const value of query.getAll(name)) request.append(name, value);
  for (const value of query.getAll('response_type'))
    request.append('response_type', value === 'code' ? value : unsupported);
  for (const value of query.getAll('response_mode'))
    request.append('response_mode', value === 'query' ? value : unsupported);
  for (const value of new Set(query.getAll('resource').map((uri) => canonicalResource(uri, baseUrl) ?? uri)))
    request.append('resource', value);
  for (const value of query.getAll('prompt')) if (value === 'none') request.append('prompt', value);
  for (const value of requestedScopes(query)) request.append('scope', value);
  return request;
}

/** Absent or empty means every scope. */
function requestedScopes(query: URLSearchParams): string[] {
  const given = query.getAll('scope');
  if (given.length > 1) return given;
  const asked = (given[0] ?? '').split(' ').filter((name) => name !== '');
  if (asked.length === 0) return [everyScope];
  const known = knownScopes(asked);
  if (known.length > 0) return [known.join(' ')];
  // oidc-provider removes offline_access before it checks whether a scope remains.
  return [asked.filter((name) => name !== 'offline_access').join(' ') || unsupported];
}

/** Whether no scope of a normalised request is known. */
export function isUnknownScope(scope: string | undefined): boolean {
  return scope !== undefined && knownScopes(scope.split(' ')).length === 0;
}
