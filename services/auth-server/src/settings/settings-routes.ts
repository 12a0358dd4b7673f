import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { activityRoutes } from './activity-routes.ts';
import { appRoutes } from './app-routes.ts';
import { profileRoutes } from './profile-routes.ts';
import { sessionRoutes } from './session-routes.ts';
import { tokenRoutes } from './token-routes.ts';

/** The pages on which an account's owner looks after it. */
export function settingsRoutes(context: Context): Route[] {
  return [profileRoutes, tokenRoutes, appRoutes, sessionRoutes, activityRoutes].flatMap((routes) =>
    routes(context),
  );
}
