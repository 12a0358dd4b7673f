import type { Event, ObservedRun } from 'ava/internal';

export type RunTotals = { passed: number; failed: number; skipped: number };

export type RunStatistics = Extract<Event, { type: 'stats' }>['stats'];

/** Called by ava with the events of its run; tells the process that started ava how the run went. */
export async function sendTotals({ events }: ObservedRun): Promise<void> {
  let totals: RunTotals | undefined;
  for await (const event of events) {
    if (event.type === 'stats') totals = totalsOf(event.stats);
  }
  if (totals !== undefined) process.send?.(totals);
}

/** Whatever ava calls a failure counts as one: a file that breaks off, what it left undone, and an error in no test. */
function totalsOf(statistics: RunStatistics): RunTotals {
  const { failedTests, failedHooks, remainingTests, failedWorkers, internalErrors } = statistics;
  const { uncaughtExceptions, unhandledRejections, passedTests, passedKnownFailingTests } = statistics;
  const inTests = failedTests + failedHooks + remainingTests;
  const aroundTests = failedWorkers + internalErrors + uncaughtExceptions + unhandledRejections;
  return {
    passed: passedTests + passedKnownFailingTests,
    failed: inTests + aroundTests,
    skipped: statistics.skippedTests + statistics.todoTests,
  };
}

export function readTotals(message: unknown): RunTotals | undefined {
  if (typeof message !== 'object' || message === null) return undefined;
  if (!('passed' in message && 'failed' in message && 'skipped' in message)) return undefined;
  return { passed: Number(message.passed), failed: Number(message.failed), skipped: Number(message.skipped) };
}

/** The line that ends a run. A run that broke off is never shown as one without failures. */
export function closingLine(totals: RunTotals | undefined, exitCode: number): string {
  const { passed, failed, skipped } = totals ?? { passed: 0, failed: 0, skipped: 0 };
  const shownFailures = exitCode === 0 ? failed : Math.max(failed, 1);
  return `${passed} passed, ${shownFailures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
}
