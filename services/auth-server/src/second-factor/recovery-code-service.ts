import { randomBytes } from 'node:crypto';
import { hashPassword, unmatchableHash, verifyPassword } from '../accounts/password-hash.ts';
import { recordAuditEvent } from '../audit/audit-trail.ts';
import { query } from '../database/query.ts';
import type { Session } from '../session.ts';

export const recoveryCodeCount = 10;

/** Crockford's alphabet, without letters that look like others or like digits. */
const alphabet = '0123456789abcdefghjkmnpqrstvwxyz';
const codeLength = 12;
/**
 * The first characters identify the code; the 40 bits after them are the secret, hashed by Argon2id (ASVS
 * 5.0, 6.5.2).
 */
const lookUpLength = 4;

/** `code` as it is shown, once. */
type NewRecoveryCode = { code: string; lookUp: string; hash: string };

/**
 * Ten codes, hashed one after another so that sign-ins are not delayed. Slow, so call it before a
 * transaction.
 */
export async function makeRecoveryCodes(): Promise<NewRecoveryCode[]> {
  const made = new Map<string, NewRecoveryCode>();
  while (made.size < recoveryCodeCount) {
    const letters = Array.from(randomBytes(codeLength), (byte) => alphabet.charAt(byte % alphabet.length));
    const code = letters.join('');
    const lookUp = code.slice(0, lookUpLength);
    const hash = await hashPassword(code.slice(lookUpLength));
    made.set(lookUp, { code: code.replaceAll(/.{4}(?=.)/g, '$&-'), lookUp, hash });
  }
  return [...made.values()];
}

/** Replaces the account's codes within the caller's transaction. */
export async function storeRecoveryCodes(
  session: Session,
  accountId: string,
  codes: readonly NewRecoveryCode[],
): Promise<void> {
  await deleteRecoveryCodes(session, accountId);
  for (const { lookUp, hash } of codes) {
    await query(session.em)`insert into auth.recovery_code (account_id, look_up, code_hash, created_at)
      values (${accountId}, ${lookUp}, ${hash}, ${session.clock.now()})`;
  }
}

/** Deletes all codes, or those created at `since` or later. */
export async function deleteRecoveryCodes({ em }: Session, accountId: string, since?: Date): Promise<void> {
  await query(em)`delete from auth.recovery_code where account_id = ${accountId}
    and created_at >= coalesce(${since ?? null}::timestamptz, '-infinity')`;
}

/** The number of remaining codes, and an id of the set. */
export async function findRecoveryCodes(
  { em }: Pick<Session, 'em'>,
  accountId: string,
): Promise<{ left: number; mark: string }> {
  const [found] = await query(em)<{ left: number; mark: string }>`select count(*)::int as left,
      encode(sha256(convert_to(coalesce(string_agg(look_up, ' ' order by look_up), ''), 'UTF8')), 'hex')
        as mark
    from auth.recovery_code where account_id = ${accountId}`;
  return found ?? { left: 0, mark: '' };
}

/** Uses one of the account's codes; returns whether it was valid. */
export async function useRecoveryCode(session: Session, accountId: string, typed: string): Promise<boolean> {
  const code = normalize(typed);
  if (code.length !== codeLength) return false;
  const lookUp = code.slice(0, lookUpLength);
  const [found] = await query(session.em)<{ hash: string }>`select code_hash as hash from auth.recovery_code
    where account_id = ${accountId} and look_up = ${lookUp}`;
  const hash = found?.hash ?? unmatchableHash;
  if (!(await verifyPassword(code.slice(lookUpLength), hash))) return false;
  return session.em.transactional(async (em) => {
    const used = await query(em)`delete from auth.recovery_code
      where account_id = ${accountId} and look_up = ${lookUp} and code_hash = ${hash} returning 1`;
    if (used.length === 0) return false;
    recordAuditEvent({ ...session, em }, accountId, 'recovery_code_used');
    return true;
  });
}

/** Crockford's rules for typed text; word processors replace hyphens by other dashes. */
function normalize(typed: string): string {
  const letters = typed
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll(/[\s\p{Pd}]/gu, '');
  return letters.replaceAll('o', '0').replaceAll(/[il]/g, '1');
}
