import { randomUUID } from 'node:crypto';
import type { EntityManager } from '@mikro-orm/postgresql';
import { AppError } from '#shared/errors/app-error.ts';
import { invalidState } from '#shared/errors/errors.ts';
import type { Session } from '../session.ts';
import type { PushServices, PushTarget } from './push-endpoint.ts';

/** A browser that receives reminders. */
export type RemindedBrowser = {
  id: string;
  sessionId: string;
  userAgent: string;
  createdAt: string;
  lastSentAt: string | null;
};

const maximumBrowsers = 20;

type Owner = { accountId: string; sessionId: string };

/**
 * Has reminders of the account sent to the browser of the session, in place of its earlier subscription. Throws, with
 * nothing changed, validation_error for what is no push service, and invalid_state for a subscription of another account
 * and for too many browsers.
 */
export async function subscribeBrowser(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  services: PushServices,
  { accountId, sessionId }: Owner,
  target: PushTarget,
): Promise<void> {
  services.requireTarget(target);
  await em.transactional(async (within) => {
    await requireSession(within, { accountId, sessionId });
    const [others] = await within.execute<{ count: number }[]>(
      `select count(*)::integer as count from auth.push_subscription where account_id = ? and session_id <> ?`,
      [accountId, sessionId],
    );
    if ((others?.count ?? 0) >= maximumBrowsers)
      throw invalidState(
        `At most ${maximumBrowsers} browsers receive reminders: turn them off in another one.`,
      );
    await within.execute('delete from auth.push_subscription where session_id = ? and endpoint <> ?', [
      sessionId,
      target.endpoint,
    ]);
    const stored = await within.execute<{ id: string }[]>(
      `insert into auth.push_subscription as present
         (id, account_id, session_id, endpoint, p256dh, auth_secret, created_at)
       values (?, ?, ?, ?, ?, ?, ?)
       on conflict (endpoint) do update
         set session_id = excluded.session_id, p256dh = excluded.p256dh, auth_secret = excluded.auth_secret
         where present.account_id = excluded.account_id
       returning id`,
      [randomUUID(), accountId, sessionId, target.endpoint, target.p256dh, target.authSecret, clock.now()],
    );
    if (stored.length === 0)
      throw invalidState('This browser receives the reminders of another account: sign that one out first.');
  });
}

/** It can not be signed out while the subscription is stored, so that none outlives its session. */
async function requireSession(em: EntityManager, { accountId, sessionId }: Owner): Promise<void> {
  const found = await em.execute(
    'select id from auth.browser_session where id = ? and account_id = ? for update',
    [sessionId, accountId],
  );
  if (found.length === 0) throw new AppError('token_missing', { message: 'This browser is not signed in.' });
}

/** Whether the account had it. */
export async function unsubscribeBrowser(
  { em }: Pick<Session, 'em'>,
  accountId: string,
  id: string,
): Promise<boolean> {
  const removed = await em.execute(
    'delete from auth.push_subscription where account_id = ? and id = ? returning id',
    [accountId, id],
  );
  return removed.length > 0;
}

/** The one of the session first, then the newest. */
export function listRemindedBrowsers(
  { em, clock }: Pick<Session, 'em' | 'clock'>,
  { accountId, sessionId }: Owner,
): Promise<RemindedBrowser[]> {
  return em.execute<RemindedBrowser[]>(
    `select push.id, session_id as "sessionId", user_agent as "userAgent", push.created_at as "createdAt",
       last_sent_at as "lastSentAt"
     from auth.push_subscription push join auth.browser_session session on session.id = push.session_id
     where push.account_id = ? and session.expires_at > ?
     order by session_id <> ?, push.created_at desc`,
    [accountId, clock.now(), sessionId],
  );
}
