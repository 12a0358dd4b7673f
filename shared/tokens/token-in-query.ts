/** A token in a URL ends up in logs and histories, so it is refused even beside a good header (specification §5.2). */
const tokenParameters = ['access_token', 'token', 'api_key'];

export const tokenInQueryMessage = 'A token in the query string is refused; send it as a bearer header.';

export function hasTokenInQuery(query: URLSearchParams): boolean {
  return tokenParameters.some((name) => query.has(name));
}
