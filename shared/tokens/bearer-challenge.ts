import type { AppError } from '../errors/app-error.ts';
import { everyScope } from '../scopes.ts';

/**
 * WWW-Authenticate of an authentication or scope error (RFC 6750 §3, RFC 9728 §5.1), else undefined. No
 * `error` if no token was sent (RFC 6750 §3.1).
 */
export function bearerChallenge(
  error: AppError,
  metadataUrl: string,
  neededScope: string | null,
): string | undefined {
  const metadata = `resource_metadata="${metadataUrl}"`;
  const scope = `scope="${everyScope}"`;
  if (error.code === 'token_missing') return `Bearer ${metadata}, ${scope}`;
  if (error.code === 'token_invalid') return `Bearer ${metadata}, ${scope}, error="invalid_token"`;
  if (error.code === 'insufficient_scope' && neededScope) {
    return `Bearer error="insufficient_scope", scope="${neededScope}", ${metadata}`;
  }
  return undefined;
}

/**
 * A token in a URL ends up in logs and histories, so it is refused even with a valid header (specification
 * §5.2).
 */
const tokenParameters = ['access_token', 'token', 'api_key'];

export const tokenInQueryMessage = 'A token in the query string is refused; send it as a bearer header.';

export function hasTokenInQuery(query: URLSearchParams): boolean {
  return tokenParameters.some((name) => query.has(name));
}
