export type ServiceName = 'auth-server' | 'resource-api';

export type OwnedPath = { path: string; owner: ServiceName };

/** The path table of the host: every gateway configuration is made from it. */
export const OWNED_PATHS: readonly OwnedPath[] = [
  // The only path of the API that needs the signing keys.
  { path: '/api/public/v1/auth/token', owner: 'auth-server' },
  { path: '/api/public/v1', owner: 'resource-api' },
  { path: '/docs', owner: 'resource-api' },
  { path: '/openapi.json', owner: 'resource-api' },
  { path: '/mcp', owner: 'resource-api' },
  { path: '/.well-known/oauth-protected-resource', owner: 'auth-server' },
  { path: '/.well-known/oauth-authorization-server', owner: 'auth-server' },
  { path: '/oauth', owner: 'auth-server' },
  { path: '/sign-in', owner: 'auth-server' },
  { path: '/sign-up', owner: 'auth-server' },
  { path: '/sign-out', owner: 'auth-server' },
  { path: '/settings', owner: 'auth-server' },
  { path: '/assets', owner: 'auth-server' },
  { path: '/app', owner: 'auth-server' },
  { path: '/app/api', owner: 'resource-api' },
];

/** Owns `/` itself and nothing below it. */
export const ROOT_OWNER: ServiceName = 'auth-server';

const LONGEST_FIRST = OWNED_PATHS.toSorted((left, right) => right.path.length - left.path.length);

/**
 * The service that serves this path; undefined for 404. The path is compared without its query, byte by byte:
 * case, percent-encoding and dot segments are not normalised, so gateway and service cannot read different
 * paths.
 */
export function ownerOfPath(pathname: string): ServiceName | undefined {
  if (pathname === '/') return ROOT_OWNER;
  return LONGEST_FIRST.find(({ path }) => pathname === path || pathname.startsWith(`${path}/`))?.owner;
}
