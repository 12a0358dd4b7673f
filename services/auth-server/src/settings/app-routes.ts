import { notFound } from '#shared/errors/errors.ts';
import { assistantPath } from '#shared/http/protected-resource-urls.ts';
import { disconnectApp, listConnectedApps } from '../connected-apps/connected-app-service.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { appsPage } from './app-page.ts';
import { settingsForm, settingsPage } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';

const tab = settingsTabs.apps;

export function appRoutes(context: Context): Route[] {
  return [
    settingsPage(context, tab, async (request) => {
      const apps = await listConnectedApps(request.session, request.visitor.account.id);
      request.show(appsPage(request, apps, context.config.baseUrl + assistantPath));
    }),
    settingsForm(context, tab, `${tab}/:appId/disconnect`, async (request) => {
      const app = await disconnectApp(request.session, request.id('appId'), request.visitor.account.id);
      if (app === null) throw notFound();
      request.done('app-disconnected');
    }),
  ];
}
