import { randomUUID } from 'node:crypto';
import { invalidState } from '#shared/errors/errors.ts';
import { type BrowserOwner, lockBrowserSession } from '../browser/browser-session-repository.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';
import type { PushServices, PushTarget } from './push-endpoint.ts';

export type RemindedBrowser = {
  id: string;
  sessionId: string;
  userAgent: string;
  createdAt: Date;
  lastSentAt: Date | null;
};

const maximumBrowsers = 20;

/**
 * Stores the subscription of the session's browser, replacing its earlier one. Throws, with nothing changed,
 * validation_error for an endpoint that is no push service, and invalid_state for a subscription of another
 * account or too many browsers.
 */
export async function subscribeBrowser(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  services: PushServices,
  owner: BrowserOwner,
  target: PushTarget,
): Promise<void> {
  const { accountId, sessionId } = owner;
  services.requireTarget(target);
  await em.transactional(async (within) => {
    await lockBrowserSession(within, owner);
    const [others] = await query(within)<{ count: number }>`select count(*)::integer as count
      from auth.push_subscription where account_id = ${accountId} and session_id <> ${sessionId}`;
    if ((others?.count ?? 0) >= maximumBrowsers)
      throw invalidState(
        `At most ${maximumBrowsers} browsers receive reminders: turn them off in another one.`,
      );
    await query(within)`delete from auth.push_subscription
      where session_id = ${sessionId} and endpoint <> ${target.endpoint}`;
    const stored = await query(within)`insert into auth.push_subscription as present
        (id, account_id, session_id, endpoint, p256dh, auth_secret, created_at)
      values (${randomUUID()}, ${accountId}, ${sessionId}, ${target.endpoint}, ${target.p256dh},
        ${target.authSecret}, ${clock.now()})
      on conflict (endpoint) do update
        set session_id = excluded.session_id, p256dh = excluded.p256dh, auth_secret = excluded.auth_secret
        where present.account_id = excluded.account_id
      returning id`;
    if (stored.length === 0)
      throw invalidState('This browser receives the reminders of another account: sign that one out first.');
  });
}

/** Returns whether the account had it. */
export async function unsubscribeBrowser(
  { em }: Pick<Session, 'em'>,
  accountId: string,
  id: string,
): Promise<boolean> {
  const removed = await query(em)`delete from auth.push_subscription
    where account_id = ${accountId} and id = ${id} returning id`;
  return removed.length > 0;
}

/** The newest first. */
export function listRemindedBrowsers(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  accountId: string,
): Promise<RemindedBrowser[]> {
  return query(em)<RemindedBrowser>`
    select push.id, session_id as "sessionId", user_agent as "userAgent", push.created_at as "createdAt",
      last_sent_at as "lastSentAt"
    from auth.push_subscription push join auth.browser_session session on session.id = push.session_id
    where push.account_id = ${accountId} and session.expires_at > ${clock.now()}
    order by push.created_at desc`;
}
