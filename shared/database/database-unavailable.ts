/** PostgreSQL did not respond, or the connection was lost: whether the statement took effect is unknown. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** MikroORM wraps errors in its own, and copies their code. */
  readonly code = 'DATABASE_UNAVAILABLE';
}

/**
 * Conditions of the store, not of the request (PostgreSQL, appendix A): connection failures (08…), a login that is
 * refused (28…) or a database that is not there (3D000), insufficient resources such as a full disk (53…), its
 * system's own failures (58…), operator intervention such as shutdown, cancel or recovery (57P…, 57014), a lock not
 * had in time (55P03), a transaction that lost to another (40001, 40P01) or stood idle (25P03, 25P04), a read-only
 * server after a failover (25006), the network's own and ours.
 */
const storeConditions =
  /^(DATABASE_UNAVAILABLE|08...|28...|3D000|53...|58...|57P0[1-5]|57014|55P03|40001|40P01|25006|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT|ENET\w+|EHOST\w+|ENOTFOUND|EAI_AGAIN|ERR_STREAM_\w+)$/;

/** Whether an error, or what caused it, says that the database can't serve anyone right now. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && storeConditions.test(String(thrown.code))) return true;
  if (thrown instanceof AggregateError) return thrown.errors.some(isDatabaseUnavailable);
  const cause = thrown.cause ?? ('previous' in thrown ? thrown.previous : undefined);
  return cause !== undefined && cause !== thrown && isDatabaseUnavailable(cause);
}
