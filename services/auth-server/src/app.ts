import express, { type Express, type NextFunction, type Request, type Response } from 'express';
import { notFound } from '#shared/errors/errors.ts';
import { allowAnyOrigin } from '#shared/http/cors.ts';
import { answerErrors } from '#shared/http/error-middleware.ts';
import { logRequests } from '#shared/http/log-requests.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { assignRequestId } from '#shared/http/request-id.ts';
import { limitByAddress } from '#shared/rate-limit/address-limit.ts';
import type { Context } from './context.ts';
import { mountRoutes } from './http/route.ts';
import { jwksPath, jwksRoute } from './keys/jwks-routes.ts';
import { tokenExchangeRoute } from './token-exchange/token-exchange-routes.ts';

export function createApp(context: Context): Express {
  const { config, logger } = context;
  const app = express();
  app.disable('x-powered-by');
  app.enable('case sensitive routing');
  app.enable('strict routing');
  app.set('etag', false);
  app.set('query parser', false);
  app.use(assignRequestId, logRequests(logger), keepPrivate);
  app.use([apiRootPath, jwksPath], allowAnyOrigin);
  app.use(
    apiRootPath,
    limitByAddress({
      limiter: context.addressLimiter,
      trustedProxyHops: config.trustedProxyHops,
      exempt: config.addressLimitExempt,
    }),
  );
  app.use(mountRoutes([tokenExchangeRoute(context), jwksRoute(context)]));
  app.use(() => {
    throw notFound();
  });
  app.use(answerErrors(logger));
  return app;
}

/** What is not said to be public is for the caller alone, and exactly what its media type says. */
function keepPrivate(_req: Request, res: Response, next: NextFunction): void {
  res.setHeader('Cache-Control', 'no-store');
  res.setHeader('X-Content-Type-Options', 'nosniff');
  next();
}
