export type PoolState = { open: number; idle: number; waiting: number };

/** Told what the database costs a process, as far as it wants to hear of it; must not throw. */
export type DatabaseObserver = Partial<{
  /** The pool is there; `state` may be asked at any time. */
  poolOpened(limit: number, state: () => PoolState): void;
  /** A connection of the pool was had, or given up on, after this long. */
  connectionAwaited(milliseconds: number, outcome: 'acquired' | 'unavailable'): void;
  /** A statement is sent; what is returned is called once, when it is answered or lost. `text` may hold values. */
  statementSent(text: string): (failure?: unknown) => void;
}>;
