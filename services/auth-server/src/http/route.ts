import { type Request, type Response, Router } from 'express';
import { methodNotAllowed } from '#shared/errors/errors.ts';

export type Route = {
  path: string;
  method: 'get' | 'post';
  handler(req: Request, res: Response): Promise<void>;
};

/** Serves `routes`, each on exactly its path; 405 for any other method. */
export function mountRoutes(routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const { path, method, handler } of routes) {
    router[method](path, handler);
    router.all(path, () => {
      throw methodNotAllowed(method === 'get' ? ['GET', 'HEAD'] : ['POST']);
    });
  }
  return router;
}
