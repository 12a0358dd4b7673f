export type ProcessorBudget = {
  milliseconds: number;
  /** Processor time used so far, in milliseconds. */
  used(): Promise<number>;
  onExceeded(): void;
};

/**
 * A busy machine gives a thread little of its time, and a slow second is no reason to give up on ordinary
 * notes: the budget is processor time. This is how many times as long it may last by the clock.
 */
const patienceFactor = 5;
const minIntervalMilliseconds = 20;

/** Watches a thread's use of the processor; the returned function ends the watch. */
export function watchProcessorBudget(budget: ProcessorBudget): () => void {
  let isWatching = true;
  let check = setTimeout(compare, budget.milliseconds);
  const patience = setTimeout(exceed, patienceFactor * budget.milliseconds);

  function end(): void {
    isWatching = false;
    clearTimeout(check);
    clearTimeout(patience);
  }

  function exceed(): void {
    end();
    budget.onExceeded();
  }

  async function compare(): Promise<void> {
    // A thread that ends while it is asked needs no watch; one that never answers meets the patience.
    const used = await budget.used().catch(() => 0);
    if (!isWatching) return;
    if (used >= budget.milliseconds) exceed();
    else check = setTimeout(compare, Math.max(minIntervalMilliseconds, budget.milliseconds - used));
  }

  return end;
}
