import { canonicalResource } from '#shared/http/protected-resource-urls.ts';
import { isScope, scopes } from '#shared/scopes.ts';

/** What the interface knows; any other parameter is ignored (RFC 6749 §3.1). */
const passedOn = [
  'client_id',
  'redirect_uri',
  'state',
  'code_challenge',
  'code_challenge_method',
  // Refused by the package, with the error that names them.
  'request',
  'request_uri',
];

/** A value the package refuses with the error that the parameter's own name stands for. */
const unsupported = 'unsupported';

/**
 * The authorization request as the package is to see it. Repeated parameters stay repeated: it refuses them.
 * What it would read differently from us is put in our words first: every spelling of our one resource is the API
 * root, unknown scopes are dropped while a known one remains, and modes and types that it knows but we do not serve
 * get a name that nobody serves, so that it refuses them by query.
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

/** Absent or empty stands for everything; of what is asked, what we know. */
function requestedScopes(query: URLSearchParams): string[] {
  const given = query.getAll('scope');
  if (given.length > 1) return given;
  const asked = (given[0] ?? '').split(' ').filter((name) => name !== '');
  if (asked.length === 0) return [scopes.join(' ')];
  const known = scopes.filter((name) => asked.includes(name));
  return [known.length === 0 ? asked.join(' ') : known.join(' ')];
}

/** Whether the package should refuse a scope that came through the normalisation: nothing in it is known. */
export function isUnknownScope(scope: string | undefined): boolean {
  return scope !== undefined && !scope.split(' ').some(isScope);
}

/** A parameter without a value counts as omitted (RFC 6749 §3.1 and §3.2). */
export function withoutEmptyValues(parameters: URLSearchParams): URLSearchParams {
  return new URLSearchParams([...parameters].filter(([, value]) => value !== ''));
}
