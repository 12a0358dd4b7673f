import { validateInput } from '#shared/validation/validate-input.ts';
import type { Session } from '../session.ts';
import { profileInput } from './account-schema.ts';
import { updateAccount } from './account-service.ts';
import { requireActiveAccount } from './active-account.ts';

/** `input`: `{timezone}`, what an owner may change without more ado. Throws validation_error, account_suspended, not_found. */
export async function changeProfile(session: Session, accountId: string, input: unknown): Promise<void> {
  const { timezone } = validateInput(profileInput, input, 'form');
  await requireActiveAccount(session, accountId);
  await updateAccount(session, accountId, { timezone });
}
