import { hash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import { hasTokenInQuery, tokenInQueryMessage } from '#shared/tokens/bearer-challenge.ts';
import { TokenRefusal } from './token-refusal.ts';

// RFC 6750 §2.1: one space, then b64token.
const bearerHeader = /^Bearer ([A-Za-z0-9\-._~+/]+=*)$/i;

/** A bearer token that has the form of one, and its SHA-256. */
export type BearerToken = { token: string; digest: string };

/** The request's bearer token, or token_missing, or token_invalid when one was sent in another way. */
export function readBearerToken(
  req: IncomingMessage,
  query: URLSearchParams,
): BearerToken | { refusal: TokenRefusal } {
  if (hasTokenInQuery(query)) return { refusal: new TokenRefusal('in_query', tokenInQueryMessage) };
  const headers = authorizationHeaders(req.rawHeaders);
  const [header] = headers;
  if (header === undefined) return { refusal: new TokenRefusal('missing') };
  const token = headers.length === 1 ? bearerHeader.exec(header)?.[1] : undefined;
  if (token !== undefined) return { token, digest: hash('sha256', token, 'base64url') };
  const message = 'The Authorization header must be one «Bearer <token>».';
  return { refusal: new TokenRefusal('malformed', message) };
}

/** Node keeps only the first of several Authorization headers; which one counts must never be a guess. */
function authorizationHeaders(rawHeaders: readonly string[]): string[] {
  return rawHeaders.filter(
    (_, index) => index % 2 === 1 && rawHeaders[index - 1]?.toLowerCase() === 'authorization',
  );
}
