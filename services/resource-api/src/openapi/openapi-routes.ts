import { type RequestHandler, Router } from 'express';
import { authServerOperations } from '#auth-server/operations.ts';
import { methodNotAllowed } from '#shared/errors/errors.ts';
import type { Route } from '../http/route.ts';
import { createDocument } from './document.ts';
import { readReferenceAssets } from './reference-assets.ts';
import { referencePage, referencePagePolicy } from './reference-page.ts';
import { type StaticFile, serveFile } from './static-file.ts';

/** What the router serves; parameters in braces. */
export const documentationPaths = ['/openapi.json', '/docs', '/docs/', '/docs/assets/{version}/{file}'];

/** May be kept, but not used without asking: a new version of the service shows at once. */
const revalidated = { 'Cache-Control': 'public, no-cache' };
const keptForEver = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Serves the OpenAPI document of `routes` and the page that shows it, to anyone. */
export function openApiRouter(baseUrl: string, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    '/openapi.json',
    madeWhenAsked(() => serveFile(writeDocument(baseUrl, routes), revalidated)),
  );
  router.get(['/docs', '/docs/assets/:version/:file'], madeWhenAsked(referenceRouter));
  router.get('/docs/', (_req, res) => {
    res.set(revalidated).redirect(308, '../docs');
  });
  router.all(['/openapi.json', '/docs', '/docs/'], () => {
    throw methodNotAllowed(['GET', 'HEAD']);
  });
  return router;
}

/** Neither a start waits for what most processes are never asked, nor do they hold it. */
function madeWhenAsked(make: () => RequestHandler): RequestHandler {
  let handler: RequestHandler | undefined;
  return (req, res, next) => {
    handler ??= make();
    return handler(req, res, next);
  };
}

/** The page and what it loads, two megabytes. */
function referenceRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { version, files } = readReferenceAssets();
  const page = Buffer.from(referencePage(`docs/assets/${version}`));
  const pageHeaders = {
    ...revalidated,
    'Content-Security-Policy': referencePagePolicy,
    'Referrer-Policy': 'no-referrer',
  };
  router.get('/docs', serveFile({ body: page, contentType: 'text/html; charset=utf-8' }, pageHeaders));
  for (const [name, file] of files)
    router.get(`/docs/assets/${version}/${name}`, serveFile(file, keptForEver));
  return router;
}

/** Throws when a route can't be described completely. */
function writeDocument(baseUrl: string, routes: readonly Route[]): StaticFile {
  const document = createDocument(baseUrl, [
    ...routes.map(({ operation }) => operation),
    ...authServerOperations.api,
  ]);
  return { body: Buffer.from(JSON.stringify(document)), contentType: 'application/json' };
}
