import { revokeAllApiTokens } from '../api-tokens/api-token-service.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { deleteSessionsOfAccount } from '../browser/browser-session-repository.ts';
import { disconnectAllApps } from '../connected-apps/connected-app-service.ts';
import type { Session } from '../session.ts';
import type { Account } from './account-entity.ts';

export type CredentialChange = {
  passwordHash: string;
  /** The signed-in browser that asked; all others are signed out. */
  keepSessionId?: string;
  revokeApiTokens: boolean;
};

/**
 * Gives a locked account another password, within the transaction of the session's entity manager. Whatever was
 * obtained with the old one ends: other browsers, connected apps, exchanged tokens (by the version they name).
 */
export async function replacePassword(
  session: Session,
  account: Account,
  { passwordHash, keepSessionId, revokeApiTokens }: CredentialChange,
): Promise<void> {
  account.passwordHash = passwordHash;
  account.credentialVersion += 1;
  account.updatedAt = session.clock.now();
  recordAuditEvent(session, account.id, 'password_changed');
  // Browsers before apps: one that holds its session while it connects an app has done so when the apps end.
  await deleteSessionsOfAccount(session.em, account.id, keepSessionId);
  await disconnectAllApps(session, account.id);
  if (revokeApiTokens) await revokeAllApiTokens(session, account.id);
}
