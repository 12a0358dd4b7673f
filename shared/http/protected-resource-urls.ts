/** The path under which every resource of the API lives; the version is part of it (specification §9). */
export const apiRootPath = '/api/public/v1';

export function apiRootOf(baseUrl: string): string {
  return `${baseUrl}${apiRootPath}`;
}

/** What a 401 points a client to (RFC 9728 §5.1). */
export function protectedResourceMetadataUrl(baseUrl: string): string {
  return `${baseUrl}/.well-known/oauth-protected-resource`;
}
