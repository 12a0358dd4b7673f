import type { Scope } from '#shared/scopes.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { findClientsWithLogo } from '../clients/client-logo-repository.ts';
import { query } from '../database/query.ts';
import {
  deleteGrant,
  deleteGrantsOfAccount,
  findGrant,
  type Grant,
  listConnectedGrants,
} from '../oauth/grant-repository.ts';
import { recentlyChangedAccounts, runRevocation, type Session } from '../session.ts';
import { findLastUses } from '../token-use/token-use-repository.ts';

/** A grant as its owner sees it: each authorization is an app of its own. */
export type ConnectedApp = {
  id: string;
  clientId: string;
  /** The app's own name; not verified. */
  name: string;
  scopes: Scope[];
  createdAt: Date;
  /** null: its code has not been redeemed. */
  lastUsedAt: Date | null;
};

export type ListedApp = ConnectedApp & { hasLogo: boolean };

/** The account's connected apps, oldest first. */
export async function listConnectedApps({ em, clock }: Session, accountId: string): Promise<ListedApp[]> {
  const grants = await listConnectedGrants(em, accountId, clock.now());
  const ids = grants.map(({ id }) => id);
  const lastUses = await findLastUses(em, accountId, ids);
  const clientIds = grants.map(({ clientId }) => clientId);
  const withLogo = await findClientsWithLogo(em, clientIds);
  return grants.map((grant) => ({
    ...present(grant, lastUses.get(grant.id)),
    hasLogo: withLogo.has(grant.clientId),
  }));
}

/** A PNG; undefined if the account has no such app, or the app has no logo. */
export async function findAppLogo(
  { em }: Session,
  accountId: string,
  appId: string,
): Promise<Buffer | undefined> {
  const [logo] = await query(em)<{ image: Buffer }>`
    select image from auth.client_logo join auth.oauth_grant using (client_id)
    where oauth_grant.id = ${appId} and account_id = ${accountId}`;
  return logo?.image;
}

/**
 * Disconnects an app and deletes its codes and refresh tokens: its next request is refused. Returns null if
 * there is no such app, or not in `accountId` if given.
 */
export async function disconnectApp(
  session: Session,
  appId: string,
  accountId?: string,
): Promise<ConnectedApp | null> {
  return runRevocation(session, async (within, affects) => {
    const { em } = within;
    const now = session.clock.now();
    const grant = await findGrant(em, appId, now);
    const owner = grant?.accountId ?? accountId;
    affects(...(owner === undefined ? await recentlyChangedAccounts(within) : [owner]));
    if (grant === undefined || (accountId !== undefined && grant.accountId !== accountId)) return null;
    const lastUses = await findLastUses(em, grant.accountId, [grant.id]);
    const deleted = await deleteGrant(em, appId, now);
    if (deleted === undefined) return null;
    recordDisconnection(within, deleted);
    return present(deleted, lastUses.get(deleted.id));
  });
}

/** Ends every app of the account, within the transaction of the session's entity manager. */
export async function disconnectAllApps(session: Session, accountId: string): Promise<void> {
  const now = session.clock.now();
  const deleted = await deleteGrantsOfAccount(session.em, accountId, now);
  for (const grant of deleted) {
    if (grant.expiresAt > now) recordDisconnection(session, grant);
  }
}

function recordDisconnection(session: Session, { id, accountId, clientName }: Grant): void {
  recordAuditEvent(session, accountId, 'app_disconnected', { id, name: clientName });
}

/** The grant has the time of the last refresh, resource-api that of the last use. */
function present(grant: Grant, lastUse: Date | undefined): ConnectedApp {
  const { id, clientId, clientName, scopes, createdAt, lastUsedAt } = grant;
  const isUsedLater = lastUse !== undefined && (lastUsedAt === null || lastUse > lastUsedAt);
  return {
    id,
    clientId,
    name: clientName,
    scopes,
    createdAt,
    lastUsedAt: isUsedLater ? lastUse : lastUsedAt,
  };
}

/** The host of a client whose id is the URL of its metadata document; other ids are random. */
export function hostOfClient(clientId: string): string | undefined {
  return clientId.startsWith('https://') ? URL.parse(clientId)?.host : undefined;
}
