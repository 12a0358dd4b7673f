/** Told how writes go; must not throw. */
export type WriteObserver = {
  /** A write came to its turn among those of its account, after waiting this long. */
  turnCame(milliseconds: number): void;
  /** A transaction was committed that made so many feed entries. */
  committed(entryCount: number): void;
  /** A kept answer was given again in place of a write. */
  replayed(): void;
};
