/**
 * Where Redis keeps an account's version: 128 random bits that a process remembers with what it has read of the account
 * in PostgreSQL. A change of what the account’s tokens may do deletes it (`revoker.ts`).
 */
export function accountVersionKey(accountId: string): string {
  return `auth:v:${accountId}`;
}
