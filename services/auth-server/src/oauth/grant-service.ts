import { hash } from 'node:crypto';
import { AppError } from '#shared/errors/app-error.ts';
import type { Scope } from '#shared/scopes.ts';
import { addSeconds } from '#shared/time/clock.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import type { BrowserOwner } from '../browser/browser-session-repository.ts';
import { PageError } from '../html/page-error.ts';
import { derivedUuid } from '../keys/derived-uuid.ts';
import { recentlyChangedAccounts, runRevocation, type Session } from '../session.ts';
import { deleteGrant, insertGrant, maximumApps } from './grant-repository.ts';

type NewGrant = {
  accountId: string;
  /** The browser of the user who consented. */
  browser: BrowserOwner;
  clientId: string;
  clientName: string;
  scopes: Scope[];
  authorizationUid: string;
  redeemWithinSeconds: number;
};

class AppLimitError extends PageError {
  constructor() {
    super({
      status: 403,
      title: 'Too many connected apps',
      message:
        `You have connected ${maximumApps} apps, the most there can be. ` +
        'Disconnect one you no longer use under Settings → Connected apps, then go back and allow this one.',
    });
  }
}

/**
 * Connects an app. The grant expires with its code, unless the code is redeemed. Resubmitting the same
 * decision, even concurrently, returns the same grant, not new. Undefined: the session has ended meanwhile.
 * Throws account_suspended, AppLimitError.
 */
export async function createGrant(
  { em, clock, origin }: Session,
  grant: NewGrant,
): Promise<{ id: string; isNew: boolean } | undefined> {
  const { authorizationUid, browser, redeemWithinSeconds, ...granted } = grant;
  const id = grantIdOf(grant);
  const createdAt = clock.now();
  const expiresAt = addSeconds(createdAt, redeemWithinSeconds);
  const stored = { ...granted, id, createdAt, expiresAt };
  const inserted = await insertGrant(em, stored, { browser, origin });
  if (inserted.accountStatus === 'suspended') throw new AppError('account_suspended');
  if (inserted.accountStatus !== null && inserted.isFull) throw new AppLimitError();
  return inserted.accountStatus ? { id, isNew: inserted.isNew } : undefined;
}

/** Derived from account, scopes and request. */
function grantIdOf({ authorizationUid, accountId, scopes }: NewGrant): string {
  return derivedUuid(hash('sha256', ['grant', authorizationUid, accountId, ...scopes].join('\n')));
}

/**
 * `app_disconnected`: the app revoked its refresh token (RFC 7009 §2.1). `app_token_reused`: a code or
 * refresh token was used twice, so one of the holders is not the client (RFC 9700 §4.14.2).
 */
export async function endGrant(
  session: Session,
  id: string,
  event: 'app_token_reused' | 'app_disconnected',
): Promise<void> {
  await runRevocation(session, async (within, affects) => {
    const grant = await deleteGrant(within.em, id, session.clock.now());
    affects(...(grant === undefined ? await recentlyChangedAccounts(within) : [grant.accountId]));
    if (grant === undefined) return;
    recordAuditEvent(within, grant.accountId, event, { id, name: grant.clientName });
  });
}
