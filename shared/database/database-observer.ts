export type PoolState = { open: number; idle: number; waiting: number };

/** Observes the database for metrics, traces and the log; must not throw. */
export type DatabaseObserver = Partial<{
  /** The pool was created; `state` may be called at any time. */
  poolOpened(limit: number, state: () => PoolState): void;
  /** A connection of the pool was acquired, or not, after this long. */
  connectionAwaited(milliseconds: number, outcome: 'acquired' | 'unavailable'): void;
  /** A statement is sent; the function is called once, with its reply or failure. `text` may hold values. */
  statementSent(text: string): (failure?: unknown) => void;
}>;

export function combineObservers(observers: readonly DatabaseObserver[]): Required<DatabaseObserver> {
  const ofStatements = observers.flatMap(({ statementSent }) => statementSent ?? []);
  return {
    poolOpened(limit, state) {
      for (const observer of observers) observer.poolOpened?.(limit, state);
    },
    connectionAwaited(milliseconds, outcome) {
      for (const observer of observers) observer.connectionAwaited?.(milliseconds, outcome);
    },
    statementSent(text) {
      const ends = ofStatements.map((statementSent) => statementSent(text));
      return (failure) => {
        for (const end of ends) end(failure);
      };
    },
  };
}

/**
 * Removes the values that MikroORM writes into the text of a statement, quoted as libpq does (quotes and
 * backslashes doubled). At most `length` characters.
 */
export function statementShape(text: string, length: number): string {
  return text
    .replaceAll(/E?'(?:[^']|'')*'/g, '?')
    .replaceAll(/\b\d+(?:\.\d+)?\b/g, '?')
    .slice(0, length);
}
