import cors from 'cors';
import express, { type Express, type NextFunction, type Request, type Response, Router } from 'express';
import { appPath, appSessionPath } from '#shared/app/app-protocol.ts';
import { notFound } from '#shared/errors/errors.ts';
import { apiCors, oauthCors } from '#shared/http/cors.ts';
import { logRequests } from '#shared/http/log-requests.ts';
import { handleErrors, type SendError, sendProblem } from '#shared/http/problem.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { assignRoute, createRouteFinder } from '#shared/http/request-route.ts';
import { setResponseHeaders } from '#shared/http/response-headers.ts';
import { limitByAddress } from '#shared/rate-limit/address-limit.ts';
import { assetRoutes } from './assets/asset-routes.ts';
import type { Context } from './context.ts';
import { frontPageRoute } from './front-page/front-page-routes.ts';
import { sendErrorPage } from './html/error-page.ts';
import { addRoutes, type Route } from './http/route.ts';
import { interactionRoutes } from './interaction/interaction-routes.ts';
import { jwksRoute } from './keys/jwks-routes.ts';
import { metadataRoutes } from './metadata/metadata-routes.ts';
import { authorizeRoutes } from './oauth/authorize-routes.ts';
import { sendOAuthError } from './oauth/oauth-error.ts';
import {
  authorizePath,
  interactionPath,
  jwksPath,
  registerPath,
  revokePath,
  tokenPath,
} from './oauth/oauth-paths.ts';
import { registerRoute } from './oauth/register-routes.ts';
import { revokeRoute, tokenRoute } from './oauth/token-routes.ts';
import { unsubscribeRoutes } from './reminders/unsubscribe-routes.ts';
import { settingsRoutes } from './settings/settings-routes.ts';
import { wellKnownRoutes } from './settings/well-known-routes.ts';
import { addressRoutes } from './sign-in/address-routes.ts';
import { passwordResetRoutes } from './sign-in/password-reset-routes.ts';
import { secondFactorRoutes } from './sign-in/second-factor-routes.ts';
import { signInPath, signOutPath, signUpPath } from './sign-in/sign-in-paths.ts';
import { signInRoutes } from './sign-in/sign-in-routes.ts';
import { signOutRoutes } from './sign-in/sign-out-routes.ts';
import { signUpRoutes } from './sign-in/sign-up-routes.ts';
import { tokenExchangeRoute } from './token-exchange/token-exchange-routes.ts';
import { appRoutes } from './web-app/app-routes.ts';
import { appSessionRoutes } from './web-app/app-session-routes.ts';
import { connectedAppRoutes } from './web-app/connected-app-routes.ts';

const routes = {
  api: [tokenExchangeRoute, ...appSessionRoutes, ...connectedAppRoutes],
  oauth: [registerRoute, tokenRoute, revokeRoute, jwksRoute],
  metadata: [...metadataRoutes, ...wellKnownRoutes],
  files: [...assetRoutes, ...appRoutes],
  pages: [
    frontPageRoute,
    ...authorizeRoutes,
    ...interactionRoutes,
    ...signInRoutes,
    ...secondFactorRoutes,
    ...signUpRoutes,
    ...passwordResetRoutes,
    ...addressRoutes,
    ...signOutRoutes,
    ...unsubscribeRoutes,
    ...settingsRoutes,
  ],
} satisfies Record<string, readonly Route[]>;

const findRoute = createRouteFinder(
  Object.values(routes).flatMap((list: readonly Route[]) => list.map(({ path }) => path)),
);

export function createApp(context: Context): Express {
  const { config, logger, metrics, tracing } = context;
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('etag', false);
  app.set('query parser', false);
  app.use(assignRoute(findRoute), tracing.requests, metrics.requests);
  app.use(
    setResponseHeaders(config.baseUrl),
    logRequests(logger, tracing.traceId),
    context.concurrencyLimit.count,
  );
  app.use(apiPaths(context), oauthEndpoints(context), metadataDocuments(context), pages(context));
  app.use(cors(oauthCors(['GET', 'HEAD', 'POST'])), () => {
    throw notFound();
  });
  app.use(handleErrors(logger, sendPageOrProblem));
  return app;
}

/** An unknown path may be requested by a person or a program. */
const sendPageOrProblem: SendError = (res, error) => {
  const isForPeople = res.req.accepts(['json', 'html']) === 'html';
  (isForPeople ? sendErrorPage : sendProblem)(res, error);
};

/** Errors in the API's shape. */
function apiPaths(context: Context): Router {
  const router = exactRouter();
  router.use(apiRootPath, cors(apiCors));
  router.use([apiRootPath, appSessionPath], context.concurrencyLimit.refuse(sendProblem));
  router.use([apiRootPath, appSessionPath], limitByAddress(context.addressLimiter, context.addressKeyOf));
  addRoutes(router, context, routes.api);
  router.use(...unknownBelow(appSessionPath));
  return router.use(handleErrors(context.logger));
}

/** What programs ask: errors are OAuth's JSON. */
function oauthEndpoints(context: Context): Router {
  const { logger, limiters, addressKeyOf, concurrencyLimit } = context;
  const router = exactRouter();
  router.use([registerPath, tokenPath, revokePath], cors(oauthCors(['POST'])));
  router.use(jwksPath, cors(oauthCors(['GET', 'HEAD'])));
  const refuseExcess = concurrencyLimit.refuse(sendOAuthError);
  router.use([registerPath, tokenPath, revokePath, jwksPath], refuseExcess);
  router.use(registerPath, limitByAddress(limiters.registration, addressKeyOf));
  router.use([tokenPath, revokePath], limitByAddress(limiters.tokenEndpoint, addressKeyOf));
  addRoutes(router, context, routes.oauth);
  return router.use(handleErrors(logger, sendOAuthError));
}

function metadataDocuments(context: Context): Router {
  const router = exactRouter();
  router.use('/.well-known', cors(oauthCors(['GET', 'HEAD'])));
  return addRoutes(router, context, routes.metadata);
}

/** What people see: errors are a page. */
function pages(context: Context): Router {
  const { logger, limiters, addressKeyOf, concurrencyLimit } = context;
  const router = exactRouter();
  const refuseExcess = concurrencyLimit.refuse(sendErrorPage);
  const paths = [signInPath, signUpPath, signOutPath, '/settings'];
  addRoutes(router, context, routes.files);
  router.get(['/', signOutPath], cutOpener);
  router.use('/settings', cutOpener);
  router.all('/', refuseExcess);
  router.use(
    [authorizePath, interactionPath, ...paths],
    refuseExcess,
    limitByAddress(limiters.pages, addressKeyOf),
  );
  addRoutes(router, context, routes.pages);
  router.use(...unknownBelow(appPath, ...paths));
  return router.use(handleErrors(logger, sendErrorPage));
}

function exactRouter(): Router {
  return Router({ caseSensitive: true, strict: true });
}

function unknownBelow(...paths: string[]): [string[], () => never] {
  const refuse = (): never => {
    throw notFound();
  };
  return [paths, refuse];
}

/**
 * Pages that show an account are isolated from their opener. Pages of an authorization are not: a client that
 * opened them in a popup would lose its reference to the popup.
 */
function cutOpener(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cross-Origin-Opener-Policy', 'same-origin');
  next();
}
