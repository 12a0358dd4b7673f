import {
  protectedResourceMetadataPath,
  protectedResourcePaths,
} from '#shared/http/protected-resource-urls.ts';
import type { Route } from '../http/route.ts';
import { serverMetadataPath } from '../oauth/oauth-paths.ts';
import { protectedResourceMetadata, serverMetadata } from './metadata-operations.ts';

const cacheSeconds = 300;

export const metadataRoutes: readonly Route[] = [
  documentRoute(serverMetadataPath, serverMetadata),
  ...protectedResourcePaths.map((path) =>
    documentRoute(`${protectedResourceMetadataPath}${path}`, (baseUrl) =>
      protectedResourceMetadata(baseUrl, path),
    ),
  ),
];

function documentRoute(path: string, documentOf: (baseUrl: string) => object): Route {
  return {
    path,
    method: 'get',
    async handler({ context: { config }, res }) {
      res.setHeader('Cache-Control', `public, max-age=${cacheSeconds}`);
      res.json(documentOf(config.baseUrl));
    },
  };
}
