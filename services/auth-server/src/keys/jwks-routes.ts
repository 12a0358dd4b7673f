import type { Route } from '../http/route.ts';
import { jwksPath } from '../oauth/oauth-paths.ts';
import { jwksCacheSeconds } from './key-rotation.ts';

export const jwksRoute: Route = {
  path: jwksPath,
  method: 'get',
  async handler({ context: { signingKeys }, res }) {
    const keys = await signingKeys.published();
    res.setHeader('Cache-Control', `public, max-age=${jwksCacheSeconds}`);
    res.json({ keys });
  },
};
