import type { Route } from '../http/route.ts';
import { jwksPath } from '../oauth/oauth-paths.ts';

/** Shorter than the time between the publication of a key and its first signature. */
const cacheSeconds = 300;

export const jwksRoute: Route = {
  path: jwksPath,
  method: 'get',
  async handler({ context: { signingKeys }, res }) {
    const keys = await signingKeys.published();
    res.setHeader('Cache-Control', `public, max-age=${cacheSeconds}`);
    res.json({ keys });
  },
};
