import { hash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { promisify } from 'node:util';
import { gzip } from 'node:zlib';
import { type RequestHandler, Router } from 'express';
import { authServerOperations } from '#auth-server/operations.ts';
import { methodNotAllowed } from '#shared/errors/errors.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Route } from '../http/route.ts';
import { createDocument } from './document.ts';

/** What the router serves below the API's root; parameters in braces. */
export const documentationPaths = ['/openapi.json', '/docs', '/docs/', '/docs/assets/{version}/{file}'];
/** Where people and tools look first, at the host's root. They lead below the API's. */
export const documentationShortcuts = ['/docs', '/openapi.json'];

/** May be kept, but not used without asking: a new version of the service shows at once. */
const revalidated = { 'Cache-Control': 'public, no-cache' };
const keptForEver = { 'Cache-Control': 'public, max-age=31536000, immutable' };

/** Serves the OpenAPI document of `routes` and the page that shows it, to anyone. */
export function openApiRouter(baseUrl: string, routes: readonly Route[]): Router {
  const router = Router({ caseSensitive: true, strict: true });
  router.get(
    '/openapi.json',
    createdOnDemand(() => serveFile(writeDocument(baseUrl, routes), revalidated)),
  );
  router.get(['/docs', '/docs/assets/:version/:file'], createdOnDemand(referenceRouter));
  router.get('/docs/', (_req, res) => {
    res.set(revalidated).redirect(308, '../docs');
  });
  router.all(['/openapi.json', '/docs', '/docs/'], () => {
    throw methodNotAllowed(['GET', 'HEAD']);
  });
  return router;
}

export function documentationShortcutRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  for (const path of documentationShortcuts) {
    router.get(path, (_req, res) => {
      res.set(revalidated).redirect(308, apiRootPath + path);
    });
    router.all(path, () => {
      throw methodNotAllowed(['GET', 'HEAD']);
    });
  }
  return router;
}

/** Created at the first request: most processes serve none. */
function createdOnDemand(create: () => RequestHandler): RequestHandler {
  let handler: RequestHandler | undefined;
  return (req, res, next) => {
    handler ??= create();
    return handler(req, res, next);
  };
}

/** The page and what it loads, four megabytes. */
function referenceRouter(): Router {
  const router = Router({ caseSensitive: true, strict: true });
  const { version, files } = readReferenceAssets();
  const template = readFileSync(new URL('./reference/page.html', import.meta.url), 'utf8');
  // Relative to the page, at `docs`.
  const page = Buffer.from(template.replaceAll('{assets}', `docs/assets/${version}`));
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

/**
 * Nothing from another host, no script in the page itself, no frame around it, and no form that could carry a
 * token away. Scalar writes style elements and attributes; with no other host to ask, a style can carry
 * nothing away either.
 */
const referencePagePolicy = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self' 'unsafe-inline'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
].join('; ');

const javascript = 'text/javascript; charset=utf-8';
const markFile = new URL('../../../web-app/src/icons/mark.svg', import.meta.url);

/**
 * Everything the reference page loads, by file name: Scalar as published, and what makes it our page. The
 * version is part of every asset's URL: it changes with any of them, so each may be kept for ever.
 */
function readReferenceAssets() {
  // The one file of the package that is served; the image has no other.
  const scalarFile = new URL('./browser/standalone.js', import.meta.resolve('@scalar/api-reference'));
  const files = new Map<string, StaticFile>([
    ['scalar.js', { body: readFileSync(scalarFile), contentType: javascript }],
    ['reference.css', ownFile('reference.css', 'text/css; charset=utf-8')],
    ['reference.js', ownFile('reference.js', javascript)],
    ['mark.svg', { body: readFileSync(markFile), contentType: 'image/svg+xml' }],
  ]);
  return { version: digestOf(...[...files.values()].map(({ body }) => body)), files };
}

function ownFile(name: string, contentType: string): StaticFile {
  return { body: readFileSync(new URL(`./reference/${name}`, import.meta.url)), contentType };
}

const compress = promisify(gzip);

type StaticFile = { body: Buffer; contentType: string };

/** Serves a file that stays the same as long as the process lives; it is compressed once. */
function serveFile(
  { body, contentType }: StaticFile,
  headers: Readonly<Record<string, string>>,
): RequestHandler {
  const tag = digestOf(body);
  let compressed: Promise<Buffer> | undefined;
  return async (req, res) => {
    const isCompressed = req.acceptsEncodings(['gzip', 'identity']) === 'gzip';
    res.set({ ...headers, 'Content-Type': contentType, Vary: 'Accept-Encoding', ETag: `W/"${tag}"` });
    if (isCompressed) {
      compressed ??= compress(body);
      res.set('Content-Encoding', 'gzip').send(await compressed);
    } else res.send(body);
  };
}

/** Names a content: the same for the same bytes, in every process. */
function digestOf(...contents: readonly Buffer[]): string {
  return hash('sha256', Buffer.concat(contents), 'base64url').slice(0, 22);
}
