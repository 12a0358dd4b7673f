/** The path under which every resource of the API lives; the version is part of it (specification §9). */
export const apiRootPath = '/api/public/v1';
/** The path of the assistant server. */
export const assistantPath = '/mcp';
/** Where protected resources are described; a resource's own path follows it (RFC 9728 §3.1). */
export const protectedResourceMetadataPath = '/.well-known/oauth-protected-resource';

/** What a client may name as the protected resource, by the path after BASE_URL (specification §4). */
export const protectedResourcePaths = ['', apiRootPath, assistantPath] as const;

export function apiRootOf(baseUrl: string): string {
  return `${baseUrl}${apiRootPath}`;
}

/** What a 401 points a client to (RFC 9728 §5.1). */
export function protectedResourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}${protectedResourceMetadataPath}`;
}

/**
 * The audience of access tokens when `value` names one of our resources (RFC 8707 §2): all of them share it. Schemes
 * and hosts compare without case (RFC 3986 §6.2.2.1), and one trailing slash says nothing: clients add it when they
 * pass an address through `URL`. Undefined for anything else.
 */
export function canonicalResource(value: string, baseUrl: string): string | undefined {
  // Letters of ASCII alone: others, too, have one of them as their small letter.
  const origin = value.slice(0, baseUrl.length).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const path = value.slice(baseUrl.length).replace(/\/$/, '');
  const isOurs = origin === baseUrl && protectedResourcePaths.some((known) => known === path);
  return isOurs ? apiRootOf(baseUrl) : undefined;
}
