import type { Request } from 'express';
import type { Route } from '../http/route.ts';
import { type Asset, assets } from './asset-files.ts';

export const assetRoutes: readonly Route[] = assets.map((asset) => ({
  path: asset.path,
  method: 'get',
  async handler({ req, res }) {
    res
      .set({
        'Content-Type': asset.mediaType,
        'Cache-Control': cacheControl(asset, req),
        'Cross-Origin-Resource-Policy': 'same-origin',
      })
      .send(asset.content);
  },
}));

/**
 * During an upgrade a replica may be asked for the other release's version: that response must not be cached.
 */
function cacheControl({ path, version }: Asset, req: Request): string {
  return req.originalUrl === `${path}?v=${version}` ? 'public, max-age=31536000, immutable' : 'no-store';
}
