import type { RequestHandler, Response } from 'express';

/** The pattern of the route that a path belongs to, `unmatched` for a path of none. */
export type FindRoute = (path: string) => string;

const unmatchedRoute = 'unmatched';

/**
 * Finds patterns such as `/tasks/{id}`; Express' spelling of parameters (`/tasks/:id`) is shown in braces. By the path
 * alone, so that a request that is refused before it is routed has its route all the same.
 */
export function createRouteFinder(patterns: readonly string[]): FindRoute {
  const shown = new Set(patterns.map((pattern) => pattern.replace(/:(\w+)/g, '{$1}')));
  const templates = [...shown]
    .filter((pattern) => pattern.includes('{'))
    .map((pattern) => ({ pattern, parts: pattern.split('/') }));
  return (path) => {
    if (shown.has(path)) return path;
    const segments = path.split('/');
    const matches = ({ parts }: { parts: readonly string[] }): boolean =>
      parts.length === segments.length &&
      parts.every((part, index) =>
        part.startsWith('{') ? segments[index] !== '' : part === segments[index],
      );
    return templates.find(matches)?.pattern ?? unmatchedRoute;
  };
}

/** Keeps the request's route for logs, metrics and traces. */
export function assignRoute(find: FindRoute): RequestHandler {
  return (req, res, next) => {
    res.locals.route = find(pathOf(req.originalUrl));
    next();
  };
}

export function routeOf(res: Response): string {
  return typeof res.locals.route === 'string' ? res.locals.route : unmatchedRoute;
}

export function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}
