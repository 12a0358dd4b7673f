/** The path of the API; the version is part of it (specification §9). */
export const apiRootPath = '/api/public/v1';
/** The path of the assistant server. */
export const assistantPath = '/mcp';
/** Path of protected-resource metadata; the resource's path follows it (RFC 9728 §3.1). */
export const protectedResourceMetadataPath = '/.well-known/oauth-protected-resource';

/** Accepted values of `resource`, relative to BASE_URL (specification §4). */
export const protectedResourcePaths = ['', apiRootPath, assistantPath] as const;

export function apiRootOf(baseUrl: string): string {
  return `${baseUrl}${apiRootPath}`;
}

/** `resource_metadata` of a 401 (RFC 9728 §5.1). */
export function protectedResourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}${protectedResourceMetadataPath}`;
}

/**
 * Returns the common audience of all our resources if `value` is one of them, else undefined (RFC 8707 §2).
 * Scheme and host are compared without case (RFC 3986 §6.2.2.1), and a trailing slash is ignored, since
 * clients add it through `URL`.
 */
export function canonicalResource(value: string, baseUrl: string): string | undefined {
  // ASCII only: `toLowerCase` maps other letters to ASCII, too.
  const origin = value.slice(0, baseUrl.length).replace(/[A-Z]+/g, (letters) => letters.toLowerCase());
  const path = value.slice(baseUrl.length).replace(/\/$/, '');
  const isOurs = origin === baseUrl && protectedResourcePaths.some((known) => known === path);
  return isOurs ? apiRootOf(baseUrl) : undefined;
}
