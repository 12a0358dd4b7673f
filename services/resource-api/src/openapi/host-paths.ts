import { authorizationPath } from './authorize-path.ts';
import { keySetPath } from './key-set-path.ts';
import { metadataPaths } from './metadata-paths.ts';
import type { OAuthErrorResponses } from './oauth-errors.ts';
import { registrationPath } from './registration-path.ts';
import { tokenPaths } from './token-paths.ts';

type PathItem = Record<string, unknown>;

/** Paths of the host outside the API root, which name their own server. They need no token. */
export function hostPaths(baseUrl: string, oauthErrors: OAuthErrorResponses): Record<string, PathItem> {
  const paths: Record<string, PathItem> = {
    ...metadataPaths(baseUrl),
    ...registrationPath(oauthErrors),
    ...authorizationPath(baseUrl),
    ...tokenPaths(baseUrl, oauthErrors),
    ...keySetPath(),
  };
  const servers = [{ url: baseUrl, description: 'The host itself.' }];
  return Object.fromEntries(Object.entries(paths).map(([path, item]) => [path, { servers, ...item }]));
}
