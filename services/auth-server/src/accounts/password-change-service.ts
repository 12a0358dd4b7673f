import { invalidField } from '#shared/errors/errors.ts';
import { validateInput } from '#shared/validation/validate-input.ts';
import type { Session } from '../session.ts';
import { lockAccount } from './account-repository.ts';
import { passwordChangeInput } from './account-schema.ts';
import { requireActiveAccount } from './active-account.ts';
import { replacePassword } from './credential-change.ts';
import { hashPassword, verifyPassword } from './password-hash.ts';

/**
 * `input`: `{currentPassword, newPassword, revokeApiTokens}`. Ends what the old password gave, but for the browser
 * session `keepSessionId`. Throws validation_error, account_suspended, not_found.
 */
export async function changePassword(
  session: Session,
  accountId: string,
  input: unknown,
  keepSessionId: string,
): Promise<void> {
  const { currentPassword, newPassword, revokeApiTokens } = validateInput(passwordChangeInput, input, 'form');
  const account = await requireActiveAccount(session, accountId);
  const { credentialVersion } = account;
  if (!(await verifyPassword(currentPassword, account.passwordHash))) throw wrongPassword();
  const passwordHash = await hashPassword(newPassword);
  await session.em.transactional(async (em) => {
    const locked = await lockAccount(em, accountId);
    // Somebody else was faster: what was verified above is no longer the password.
    if (locked?.credentialVersion !== credentialVersion) throw wrongPassword();
    await replacePassword({ ...session, em }, locked, { passwordHash, keepSessionId, revokeApiTokens });
  });
}

function wrongPassword() {
  return invalidField('currentPassword', 'currentPassword is not your present password');
}
