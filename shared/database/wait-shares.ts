/** What each kind of waiting gets of the time that one request may wait for the database, all in milliseconds. */
export type WaitShares = {
  /** For a connection. */
  connection: number;
  /** For a lock; set on the server. */
  lock: number;
  /** For one statement with the locks it waits for; set on the server. */
  statement: number;
  /**
   * For the answer to one statement. Longer than the server takes to end one by itself, so that only a server that
   * has fallen silent gets there.
   */
  answer: number;
  /** The least that a statement gets which was begun: one that is given up costs its connection. */
  least: number;
};

/** `connection` and `answer` together are hardly more than the whole: without a request no more is ever waited. */
export function waitSharesOf(waitMilliseconds: number): WaitShares {
  const share = (part: number): number => Math.ceil(part * waitMilliseconds);
  return {
    connection: share(0.4),
    lock: share(0.4),
    statement: share(0.6),
    answer: share(0.7),
    least: share(0.1),
  };
}
