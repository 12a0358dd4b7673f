import { reversalDays } from '../accounts/account-address.ts';
import type { Account } from '../accounts/account-entity.ts';
import { startFactorRemoval } from '../accounts/address-change-service.ts';
import { hasSecondFactorFromBefore } from '../second-factor/second-factor-service.ts';
import type { Session } from '../session.ts';
import { undoFactorPath } from '../sign-in/sign-in-paths.ts';
import type { SecurityEvent } from './mail-facts.ts';

/** The event is recorded a moment after the second factor was made. */
const marginMilliseconds = 60_000;

/**
 * How an owner takes a second factor back who did not add it, and whom it keeps out of the settings. Undefined where
 * an earlier one still lets them in.
 */
export async function factorUndo(
  session: Pick<Session, 'em' | 'clock'>,
  event: SecurityEvent,
  account: Account,
): Promise<{ undo: string; path: string; label: string } | undefined> {
  const addedAt = new Date(new Date(event.happenedAt).getTime() - marginMilliseconds);
  if (await hasSecondFactorFromBefore(session, account.id, addedAt)) return undefined;
  const link = await startFactorRemoval(session, account, addedAt);
  return {
    undo: `If it was not you, take it back. The link works for ${reversalDays} days. It removes what was added, signs out every browser and app, revokes personal tokens, and asks you for another password.`,
    path: `${undoFactorPath}?${new URLSearchParams({ link })}`,
    label: 'It was not me',
  };
}
