import type { RequestHandler, Response } from 'express';

/** Returns the route pattern of a path, or `unmatched`. */
type FindRoute = (path: string) => string;

const unmatchedRoute = 'unmatched';

/**
 * Matches patterns such as `/tasks/{id}` (or Express' `/tasks/:id`). It uses only the path, so requests that
 * are refused before routing have a route, too.
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

/** Stores the request's route for logs, metrics and traces. */
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
