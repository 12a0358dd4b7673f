/**
 * The Redis key of an account's version: a random UUID that a process caches with the account's records
 * from PostgreSQL. A change of its tokens' rights deletes it (`revoker.ts`).
 */
export function accountVersionKey(accountId: string): string {
  return `auth:v:${accountId}`;
}

/** Where Redis says that it was deleted, for the account's open pages. Nothing relies on its delivery. */
export function accountChangeChannel(accountId: string): string {
  return `auth:changed:${accountId}`;
}
