import { notFound } from '#shared/errors/errors.ts';
import type { Context } from '../context.ts';
import type { Route } from '../http/route.ts';
import { endOthersPath, sessionsPage } from './session-page.ts';
import { settingsForm, settingsPage } from './settings-request.ts';
import { settingsTabs } from './settings-tabs.ts';
import { listSignedInBrowsers, signOutBrowser, signOutOtherBrowsers } from './signed-in-browser-service.ts';

const tab = settingsTabs.sessions;

export function sessionRoutes(context: Context): Route[] {
  return [
    settingsPage(context, tab, async (request) => {
      const browsers = await listSignedInBrowsers(request.session, request.visitor.account.id);
      request.show(sessionsPage(request, browsers));
    }),
    settingsForm(context, tab, endOthersPath, async ({ session, visitor, done }) => {
      await signOutOtherBrowsers(session, visitor.account.id, visitor.sessionId);
      done('sessions-ended');
    }),
    settingsForm(context, tab, `${tab}/:sessionId/end`, async ({ session, visitor, id, done }) => {
      if (!(await signOutBrowser(session, visitor.account.id, id('sessionId')))) throw notFound();
      done('session-ended');
    }),
  ];
}
