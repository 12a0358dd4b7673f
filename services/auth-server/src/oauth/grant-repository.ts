import type { EntityManager } from '@mikro-orm/postgresql';
import { type RawBuilder, sql } from 'kysely';
import type { Scope } from '#shared/scopes.ts';
import { lockAccountRow } from '../accounts/lock-account-row.ts';
import type { Origin } from '../audit/audit-trail.ts';
import type { BrowserOwner } from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';

/** A connected app. Valid until `expiresAt`. */
export type Grant = {
  id: string;
  accountId: string;
  clientId: string;
  clientName: string;
  scopes: Scope[];
  createdAt: Date;
  /** null until the client has redeemed its code. */
  lastUsedAt: Date | null;
  expiresAt: Date;
};

const columns =
  sql.raw(`id, account_id as "accountId", client_id as "clientId", client_name as "clientName", scopes,
  created_at as "createdAt", last_used_at as "lastUsedAt", expires_at as "expiresAt"`);

/** The browser that consented, and the origin for the audit trail. */
type GrantDecision = { browser: BrowserOwner; origin: Origin };

/** Includes grants whose code is not redeemed yet. */
export const maximumApps = 100;

/**
 * `accountStatus`: null if the browser is not signed in; unless it is active, nothing was inserted.
 * `isNew`: false if the grant exists already. `isFull`: the account has the maximum number of apps.
 */
type GrantInsertion = {
  accountStatus: 'active' | 'suspended' | null;
  isNew: boolean;
  isFull: boolean;
};

/**
 * Inserts a grant and its audit event, if the browser's session and account are active, which stay locked
 * until the commit. The account is locked first, as by a password change (no deadlock), and before the
 * statement that counts its apps, which then sees those connected meanwhile. By the unit of work it would
 * take five times as long. Needs a transaction.
 */
export async function insertGrant(
  em: EntityManager,
  grant: Omit<Grant, 'lastUsedAt'>,
  { browser, origin }: GrantDecision,
): Promise<GrantInsertion> {
  const { accountId, clientId } = grant;
  await lockAccountRow(em, accountId);
  const [inserted] = await query(em)<GrantInsertion>`
    with account as (select status from auth.account where id = ${accountId}),
    room as (
      select count(*) < ${maximumApps} as is_left from auth.oauth_grant
      where account_id = ${accountId}
        and id <> ${grant.id}::uuid and expires_at > ${grant.createdAt}::timestamptz),
    browser as (
      select status from auth.browser_session session, account
      where session.id = ${browser.sessionId} and secret_hash = ${browser.secretHash} for share of session),
    allowed as (select from browser, room where status = 'active' and is_left),
    used as (update auth.oauth_client set unused_since = null from allowed where client_id = ${clientId}),
    made as (
      insert into auth.oauth_grant (id, account_id, client_id, client_name, scopes, created_at, expires_at)
      select ${grant.id}::uuid, ${accountId}::uuid, ${clientId}, ${grant.clientName},
        string_to_array(${grant.scopes.join(' ')}, ' '), ${grant.createdAt}::timestamptz,
        ${grant.expiresAt}::timestamptz
      from allowed on conflict (id) do nothing returning *),
    noted as (
      insert into auth.audit_event
        (account_id, happened_at, event, actor, subject_id, subject_name, address, user_agent)
      select account_id, created_at, 'app_connected', ${origin.actor}, id, client_name, ${origin.address},
        ${origin.userAgent}
      from made)
    select (select status from browser) as "accountStatus", exists (select from made) as "isNew",
      (select not is_left from room) as "isFull"
  `;
  return inserted ?? { accountStatus: null, isNew: false, isFull: false };
}

export async function findGrant(em: EntityManager, id: string, now: Date): Promise<Grant | undefined> {
  const [grant] = await query(em)<Grant>`
    select ${columns} from auth.oauth_grant where id = ${id} and expires_at > ${now}`;
  return grant;
}

/** Apps that have redeemed their code and have not expired, oldest first. */
export function listConnectedGrants(em: EntityManager, accountId: string, now: Date): Promise<Grant[]> {
  return query(em)<Grant>`select ${columns} from auth.oauth_grant
    where account_id = ${accountId} and last_used_at is not null and expires_at > ${now}
    order by created_at, id`;
}

/** Deletes the grant with its codes and refresh tokens; undefined if it is gone. */
export async function deleteGrant(em: EntityManager, id: string, now: Date): Promise<Grant | undefined> {
  return (await deleteGrants(em, sql`id = ${id}`, now))[0];
}

export async function deleteGrantsOfAccount(
  em: EntityManager,
  accountId: string,
  now: Date,
): Promise<Grant[]> {
  return deleteGrants(em, sql`account_id = ${accountId}`, now);
}

export async function deleteExpiredGrants(em: EntityManager, now: Date, limit: number): Promise<number> {
  const expired = sql`id in (
    select id from auth.oauth_grant where expires_at <= ${now} limit ${limit} for update skip locked)`;
  return (await deleteGrants(em, expired, now)).length;
}

/**
 * Restarts the unused period of the clients and of their logos, whether or not they have other grants, since
 * concurrent deletions do not see each other; the sweep checks for grants. Clients are locked in a fixed
 * order to avoid deadlocks.
 */
function deleteGrants(em: EntityManager, condition: RawBuilder<unknown>, now: Date): Promise<Grant[]> {
  return query(em)<Grant>`
    with gone as (delete from auth.oauth_grant where ${condition} returning *),
     unused as (
       update auth.oauth_client set unused_since = ${now} where client_id in (
         select client_id from auth.oauth_client where client_id in (select client_id from gone)
         order by client_id for update)),
     unused_logos as (
       update auth.client_logo set unused_since = ${now} where client_id in (
         select client_id from auth.client_logo where client_id in (select client_id from gone)
         order by client_id for update))
     select ${columns} from gone order by created_at, id`;
}
