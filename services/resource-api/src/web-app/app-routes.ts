import { accountFileRoutes } from '../account-file/account-file-routes.ts';
import { historyRoutes } from '../history/history-routes.ts';
import type { MountableRoute } from '../http/route.ts';
import { liveRoute } from '../live/live-routes.ts';
import { appReadRoutes } from './read-routes.ts';
import { appWriteRoutes } from './write-routes.ts';

/** The operations of the web app that the public API does not have. */
export const appRoutes: readonly MountableRoute[] = [
  ...appReadRoutes,
  ...appWriteRoutes,
  liveRoute,
  ...historyRoutes,
  ...accountFileRoutes,
];
