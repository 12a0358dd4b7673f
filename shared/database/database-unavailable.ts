/** PostgreSQL did not respond, or the connection was lost: whether the statement took effect is unknown. */
export class DatabaseUnavailableError extends Error {
  override readonly name = 'DatabaseUnavailableError';
  /** MikroORM wraps errors in its own, and copies their code. */
  readonly code = 'DATABASE_UNAVAILABLE';
}

/**
 * Conditions of the server, not of the request (PostgreSQL, appendix A): connection failures (08…), a refused
 * login (28…), a missing database (3D000), insufficient resources (53…), system errors (58…), operator
 * intervention such as shutdown, cancel or recovery (57P…, 57014), lock timeout (55P03), serialisation
 * failure or deadlock (40001, 40P01), idle transaction (25P03, 25P04), and a read-only server after a
 * failover (25006).
 */
const storeConditions = /^(08...|28...|3D000|53...|58...|57P0[1-5]|57014|55P03|40001|40P01|25006|25P0[34])$/;
/** Errors of the network, and our own. */
const connectionErrors =
  /^(DATABASE_UNAVAILABLE|ECONN\w+|EPIPE|ETIMEDOUT|ENET\w+|EHOST\w+|ENOTFOUND|EAI_AGAIN|ERR_STREAM_\w+)$/;

const isOfStore = (code: string): boolean => storeConditions.test(code) || connectionErrors.test(code);

/** Whether an error, or one of its causes, means that the database is unavailable. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && isOfStore(String(thrown.code))) return true;
  if (thrown instanceof AggregateError) return thrown.errors.some(isDatabaseUnavailable);
  const cause = thrown.cause ?? ('previous' in thrown ? thrown.previous : undefined);
  return cause !== undefined && cause !== thrown && isDatabaseUnavailable(cause);
}
