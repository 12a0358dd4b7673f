import type { RequestHandler, Response } from 'express';

/** The pattern of the route that a path belongs to, `unmatched` for a path of none. */
export type FindRoute = (path: string) => string;

const unmatchedRoute = 'unmatched';

/**
 * Finds patterns such as `/tasks/{id}`; parameters may also be spelled as Express does (`/tasks/:id`) and are shown
 * in braces. It asks the path alone, so that a request which is refused before it is routed has its route all the same.
 */
export function createRouteFinder(patterns: readonly string[]): FindRoute {
  const shown = [...new Set(patterns.map((pattern) => pattern.replace(/:(\w+)/g, '{$1}')))];
  const fixed = new Set(shown.filter((pattern) => !pattern.includes('{')));
  const templates = shown
    .filter((pattern) => pattern.includes('{'))
    .map((pattern) => ({ pattern, segments: pattern.split('/') }));
  return (path) => {
    if (fixed.has(path)) return path;
    const segments = path.split('/');
    return templates.find((template) => matches(template.segments, segments))?.pattern ?? unmatchedRoute;
  };
}

function matches(template: readonly string[], segments: readonly string[]): boolean {
  if (template.length !== segments.length) return false;
  return template.every((part, index) => part === segments[index] || isFilled(part, segments[index]));
}

function isFilled(part: string, segment: string | undefined): boolean {
  return part.startsWith('{') && segment !== '';
}

/** Notes the request's route, for what counts, times and logs it. */
export function assignRoute(find: FindRoute): RequestHandler {
  return (req, res, next) => {
    res.locals.route = find(pathOf(req.originalUrl));
    next();
  };
}

export function routeOf(res: Response): string {
  return typeof res.locals.route === 'string' ? res.locals.route : unmatchedRoute;
}

function pathOf(url: string): string {
  return url.split('?', 1)[0] ?? '';
}

/** Shorter than any token, code, id of a waiting authorization, cookie or verifier. */
const shortSegment = 20;
const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i;

/**
 * A path as it may be logged: people paste tokens into addresses, and the id of a waiting authorization is a secret
 * of its browser. Kept are the words of the route, UUIDs and what is short; anything else is «…».
 */
export function loggablePath(url: string, route: string): string {
  const path = pathOf(url);
  if (path === route) return path;
  const words = new Set(route.split('/'));
  const isHarmless = (segment: string): boolean =>
    segment.length < shortSegment || uuid.test(segment) || words.has(segment);
  return path
    .split('/')
    .map((segment) => (isHarmless(segment) ? segment : '…'))
    .join('/');
}
