import { type AppConnections, connectedAppsPath } from '#shared/app/app-protocol.ts';
import { isUuid } from '#shared/validation/fields.ts';
import { requireSignedInUser } from '../browser/browser-session-service.ts';
import { findAppLogo, hostOfClient, listConnectedApps } from '../connected-apps/connected-app-service.ts';
import type { Route } from '../http/route.ts';
import { sendLogo } from '../http/send-logo.ts';
import { openOwnerSession } from '../session.ts';

/** The owner's connected apps, authenticated by the cookie like the settings. */
export const connectedAppRoutes: readonly Route[] = [
  {
    path: connectedAppsPath,
    method: 'get',
    async handler({ context, req, res }) {
      const { account } = await requireSignedInUser(context, req);
      const apps = await listConnectedApps(openOwnerSession(context, req), account.id);
      const connections = apps.map(({ id, name, clientId, hasLogo, lastUsedAt }) => ({
        id,
        name,
        host: hostOfClient(clientId) ?? null,
        hasLogo,
        lastUsedAt: lastUsedAt?.toISOString() ?? null,
      }));
      res.json({ apps: connections } satisfies AppConnections);
    },
  },
  {
    path: `${connectedAppsPath}/:appId/logo`,
    method: 'get',
    async handler({ context, req, res }) {
      const { account } = await requireSignedInUser(context, req);
      const { appId } = req.params;
      const session = openOwnerSession(context, req);
      sendLogo(res, isUuid(appId) ? await findAppLogo(session, account.id, appId) : undefined);
    },
  },
];
