import type { AppError } from '#shared/errors/app-error.ts';
import { protectedResourceMetadataUrl } from '#shared/http/protected-resource-urls.ts';
import type { Scope } from '#shared/scopes.ts';

/**
 * The WWW-Authenticate header of an authentication or scope failure (RFC 6750 §3, RFC 9728 §5.1); undefined for
 * other errors. No `error` when no token was sent (RFC 6750 §3.1).
 */
export function bearerChallenge(error: AppError, baseUrl: string, scope: Scope | null): string | undefined {
  const metadata = `resource_metadata="${protectedResourceMetadataUrl(baseUrl)}"`;
  if (error.code === 'token_missing') return `Bearer ${metadata}, scope="read write"`;
  if (error.code === 'token_invalid') return `Bearer ${metadata}, scope="read write", error="invalid_token"`;
  if (error.code === 'insufficient_scope' && scope) {
    return `Bearer error="insufficient_scope", scope="${scope}", ${metadata}`;
  }
  return undefined;
}
