/**
 * Conditions of the store, not of the request (PostgreSQL, appendix A): connection failures (08…),
 * insufficient resources (53…), operator intervention such as shutdown, cancel or recovery (57P…, 57014),
 * a lock not had in time (55P03), a read-only server after a failover (25006), and the driver's own.
 */
const storeConditions =
  /^(08...|53...|57P0[1-5]|57014|55P03|25006|25P0[34]|ECONN\w+|EPIPE|ETIMEDOUT|EHOSTUNREACH|ENOTFOUND|EAI_AGAIN)$/;
const driverMessages =
  /Connection terminated|timeout exceeded when trying to connect|Client has encountered a connection error/;

/** Whether an error, or what caused it, says that the database can't serve anyone right now. */
export function isDatabaseUnavailable(thrown: unknown): boolean {
  if (!(thrown instanceof Error)) return false;
  if ('code' in thrown && storeConditions.test(String(thrown.code))) return true;
  if (driverMessages.test(thrown.message)) return true;
  if (thrown instanceof AggregateError) return thrown.errors.some(isDatabaseUnavailable);
  const cause = thrown.cause ?? ('previous' in thrown ? thrown.previous : undefined);
  return cause !== undefined && cause !== thrown && isDatabaseUnavailable(cause);
}
