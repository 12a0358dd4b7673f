import { notFound } from '#shared/errors/errors.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { AccountEntity } from '../accounts/account-entity.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { type BrowserOwner, lockBrowserSession } from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';
import { accountProfile } from './account-profile.ts';

const permitSeconds = 300;

/**
 * Permits the browser to download the account's file from resource-api, for five minutes. Throws not_found
 * and token_missing.
 */
export async function permitExport(session: Session, owner: BrowserOwner): Promise<void> {
  const { accountId, sessionId } = owner;
  const account = await session.em.findOne(AccountEntity, { id: accountId });
  if (account === null) throw notFound();
  const profile = await accountProfile(session, account);
  const expiresAt = addSeconds(session.clock.now(), permitSeconds);
  await session.em.transactional(async (em) => {
    await lockBrowserSession(em, owner);
    await query(em)`insert into auth.export_permit (session_id, account_id, profile, expires_at)
      values (${sessionId}, ${accountId}, ${JSON.stringify(profile)}::jsonb, ${expiresAt})
      on conflict (session_id) do update set profile = excluded.profile, expires_at = excluded.expires_at`;
    recordAuditEvent({ ...session, em }, accountId, 'export_made');
  });
}
