import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { activityPage } from './activity-page.ts';
import { listActivity } from './activity-service.ts';
import { settingsPage } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';

export function activityRoutes(context: Context): Route[] {
  return [
    settingsPage(context, settingsTabs.activity, async (request) => {
      const before = request.query.get('before') ?? '';
      // Any other text is as good as none.
      const sequence = /^\d{1,18}$/.test(before) ? before : undefined;
      const activity = await listActivity(request.session, request.visitor.account.id, sequence);
      request.show(activityPage(request, activity));
    }),
  ];
}
