import { accountRoutes } from './accounts/account-routes.ts';
import { areaRoutes } from './areas/area-routes.ts';
import type { Route } from './http/route.ts';
import { projectRoutes } from './projects/project-routes.ts';
import { sectionRoutes } from './projects/section-routes.ts';
import { taskRoutes } from './tasks/task-routes.ts';

/** Every route of the API, in the order in which the documentation shows them. */
export const routes: readonly Route[] = [
  ...accountRoutes,
  ...taskRoutes,
  ...projectRoutes,
  ...sectionRoutes,
  ...areaRoutes,
];
