import type { DatabaseObserver } from './database-observer.ts';

/** One observer that tells all of them. */
export function combineObservers(observers: readonly DatabaseObserver[]): DatabaseObserver {
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
