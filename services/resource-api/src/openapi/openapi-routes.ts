import { type RequestHandler, Router } from 'express';
import { tokenExchange } from '#shared/contracts/token-exchange-contract.ts';
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

/**
 * Serves the OpenAPI document of `routes` and the page that shows it, to anyone. Each is made when it is first asked
 * for: a start need not wait for what most processes are never asked, nor they hold it.
 */
export function openApiRouter(baseUrl: string, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  let document: RequestHandler | undefined;
  let reference: RequestHandler | undefined;

  router.get('/openapi.json', (req, res, next) => {
    document ??= serveFile(writeDocument(baseUrl, routes), revalidated);
    return document(req, res, next);
  });
  router.get(['/docs', '/docs/assets/:version/:file'], (req, res, next) => {
    reference ??= referenceRouter();
    return reference(req, res, next);
  });
  router.get('/docs/', (_req, res) => {
    res.set(revalidated).redirect(308, '../docs');
  });
  router.all(['/openapi.json', '/docs', '/docs/'], () => {
    throw methodNotAllowed(['GET', 'HEAD']);
  });
  return router;
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
  const document = createDocument(baseUrl, [...routes.map(({ operation }) => operation), tokenExchange]);
  return { body: Buffer.from(JSON.stringify(document)), contentType: 'application/json' };
}
