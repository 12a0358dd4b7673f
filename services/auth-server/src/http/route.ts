import type { Request, Response, Router } from 'express';
import { methodNotAllowed } from '#shared/errors/errors.ts';
import type { Context } from '../context.ts';

/** A request and its response. */
export type Exchange = { context: Context; req: Request; res: Response };

export type Route = {
  path: string;
  method: 'get' | 'post';
  handler(exchange: Exchange): Promise<void>;
};

const methodNames = { get: ['GET', 'HEAD'], post: ['POST'] };

/**
 * Has `router` serve `routes`, each on exactly its path; 405 for any other method. Not a router of its own: a
 * request that one has nothing for goes on only with the event loop's next turn.
 */
export function addRoutes(router: Router, context: Context, routes: readonly Route[]): Router {
  for (const { path, method, handler } of routes)
    router[method](path, (req, res) => handler({ context, req, res }));
  for (const path of new Set(routes.map((route) => route.path))) {
    const allowed = routes
      .filter((route) => route.path === path)
      .flatMap(({ method }) => methodNames[method]);
    router.all(path, () => {
      throw methodNotAllowed(allowed);
    });
  }
  return router;
}
