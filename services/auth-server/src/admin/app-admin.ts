import { notFound } from '#shared/errors/errors.ts';
import { isUuid } from '#shared/validation/fields.ts';
import {
  type ConnectedApp,
  disconnectApp,
  listConnectedApps,
} from '../connected-apps/connected-app-service.ts';
import { runAsOperator, runOnAccount, type Stores } from './account-admin.ts';

type AppAnswer = { appId: string } & Omit<ConnectedApp, 'id'>;

/** The account's connected apps, oldest first. Throws not_found. */
export function listApps(databaseUrl: string, email: string): Promise<AppAnswer[]> {
  return runOnAccount({ databaseUrl }, email, async (session, { id }) =>
    (await listConnectedApps(session, id)).map(present),
  );
}

/** Throws not_found, for an app that is disconnected already too. */
export function endApp(stores: Stores, appId: string): Promise<AppAnswer> {
  return runAsOperator(stores, async (session) => {
    const app = isUuid(appId) ? await disconnectApp(session, appId) : null;
    if (app !== null) return present(app);
    throw notFound('there is no connected app with that id');
  });
}

function present({ id, clientId, name, scopes, createdAt, lastUsedAt }: ConnectedApp): AppAnswer {
  return { appId: id, clientId, name, scopes, createdAt, lastUsedAt };
}
