import cors from 'cors';
import express, { type Express } from 'express';
import { appApiPath } from '#shared/app/app-protocol.ts';
import { notFound } from '#shared/errors/errors.ts';
import { apiCors } from '#shared/http/cors.ts';
import { logRequests } from '#shared/http/log-requests.ts';
import { handleErrors, sendProblem } from '#shared/http/problem.ts';
import { apiRootPath, assistantPath } from '#shared/http/protected-resource-urls.ts';
import { assignRoute, createRouteFinder } from '#shared/http/request-route.ts';
import { setResponseHeaders } from '#shared/http/response-headers.ts';
import { limitByAddress } from '#shared/rate-limit/address-limit.ts';
import { assistantCors, assistantRouter, assistantVisitorRouter } from './assistant/assistant-routes.ts';
import type { Context } from './context.ts';
import { type MountedRoutes, refuseOtherMethods, serveRoutes } from './http/mount-routes.ts';
import {
  documentationPaths,
  documentationShortcutRouter,
  documentationShortcuts,
  openApiRouter,
} from './openapi/openapi-routes.ts';
import { routes } from './routes.ts';
import { appRoutes } from './web-app/app-routes.ts';

const publicApi: MountedRoutes = { rootPath: apiRootPath, routes };
const appApi: MountedRoutes = { rootPath: appApiPath, routes: appRoutes, isWebAppOnly: true };
const findRoute = createRouteFinder([
  assistantPath,
  ...documentationShortcuts,
  ...documentationPaths.map((path) => apiRootPath + path),
  ...[publicApi, appApi].flatMap(({ rootPath, routes: served }) =>
    served.map(({ operation }) => rootPath + operation.path),
  ),
]);

export function createApp(context: Context): Express {
  const { config, logger, metrics, tracing } = context;
  const app = express();
  app.disable('x-powered-by');
  app.set('etag', false);
  app.set('query parser', false);
  app.use(assignRoute(findRoute), tracing.requests, metrics.requests, setResponseHeaders(config.baseUrl));
  app.use(logRequests(logger, tracing.traceId), context.concurrencyLimit.count);
  const [allowAssistant, allowApi] = [cors(assistantCors), cors(apiCors)];
  app.use((req, res, next) => {
    // The web app's operations are for pages of this origin alone.
    if (req.path.startsWith(`${appApiPath}/`)) return next();
    const allow = req.path === assistantPath ? allowAssistant : allowApi;
    allow(req, res, next);
  });
  app.use(context.concurrencyLimit.refuse(sendProblem));
  // These routes count for the address themselves.
  app.use(apiRootPath, serveRoutes(context, publicApi));
  app.use(appApiPath, serveRoutes(context, appApi));
  app.use(assistantRouter(context));
  app.use(limitByAddress(context.addressLimiter, context.addressKeyOf));
  app.use(assistantVisitorRouter(context), documentationShortcutRouter());
  app.use(appApiPath, refuseOtherMethods(appApi));
  // Express' own mounting ignores case; the contract's paths do not.
  app.use((req, _res, next) => {
    if (!req.url.startsWith(`${apiRootPath}/`)) throw notFound();
    next();
  });
  app.use(apiRootPath, openApiRouter(config.baseUrl, routes), refuseOtherMethods(publicApi));
  app.use(() => {
    throw notFound();
  });
  app.use(handleErrors(logger));
  return app;
}
