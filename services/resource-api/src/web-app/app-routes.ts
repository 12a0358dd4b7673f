import { historyRoutes } from '../history/history-routes.ts';
import type { Route } from '../http/route.ts';

/** The operations of the web app that the public API does not have. */
export const appRoutes: readonly Route[] = [...historyRoutes];
