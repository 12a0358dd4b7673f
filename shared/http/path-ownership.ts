export type ServiceName = 'auth-server' | 'resource-api';

type OwnedPath = { path: string; owner: ServiceName };

/** The path table from which every gateway is configured: what is not auth-server's, and one exception. */
export const OWNED_PATHS: readonly OwnedPath[] = [
  // The only path of the API that needs the signing keys.
  { path: '/api/public/v1/auth/token', owner: 'auth-server' },
  { path: '/api/public/v1', owner: 'resource-api' },
  { path: '/docs', owner: 'resource-api' },
  { path: '/openapi.json', owner: 'resource-api' },
  { path: '/mcp', owner: 'resource-api' },
  { path: '/app/api', owner: 'resource-api' },
];

/** Its 404 is a page for people, and JSON for programs. */
export const DEFAULT_OWNER: ServiceName = 'auth-server';

const LONGEST_FIRST = OWNED_PATHS.toSorted((left, right) => right.path.length - left.path.length);

/**
 * The service that serves this path. The path is compared without its query, byte by byte:
 * case, percent-encoding and dot segments are not normalised, so gateway and service cannot read different
 * paths.
 */
export function ownerOfPath(pathname: string): ServiceName {
  const owned = LONGEST_FIRST.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`));
  return owned?.owner ?? DEFAULT_OWNER;
}
