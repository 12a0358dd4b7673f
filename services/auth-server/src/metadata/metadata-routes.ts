import {
  protectedResourceMetadataPath,
  protectedResourcePaths,
} from '#shared/http/protected-resource-urls.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { serverMetadataPath } from '../oauth/oauth-paths.ts';
import { protectedResourceMetadata, serverMetadata } from './metadata-operations.ts';

/** Cache lifetime of the documents. */
const cacheSeconds = 300;

/** The metadata documents of discovery. */
export function metadataRoutes({ config: { baseUrl } }: Pick<Context, 'config'>): Route[] {
  const resources = protectedResourcePaths.map((path) =>
    documentRoute(`${protectedResourceMetadataPath}${path}`, protectedResourceMetadata(baseUrl, path)),
  );
  return [documentRoute(serverMetadataPath, serverMetadata(baseUrl)), ...resources];
}

function documentRoute(path: string, document: object): Route {
  return {
    path,
    method: 'get',
    async handler(_req, res) {
      res.setHeader('Cache-Control', `public, max-age=${cacheSeconds}`);
      res.json(document);
    },
  };
}
