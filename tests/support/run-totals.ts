import path from 'node:path';
import type { Event, ObservedRun } from 'ava/internal';

type RunStatistics = Extract<Event, { type: 'stats' }>['stats'];

export type RunTotals = {
  passed: number;
  failed: number;
  skipped: number;
  /** What failed and where, in the order it happened. */
  failures: string[];
};

/** Called by ava with the events of its run; tells the process that started ava how the run went. */
export async function sendTotals({ events }: ObservedRun): Promise<void> {
  let totals: Omit<RunTotals, 'failures'> | undefined;
  const failures: string[] = [];
  for await (const event of events) {
    if (event.type === 'stats') totals = totalsOf(event.stats);
    const failure = describeFailure(event);
    if (failure !== undefined) failures.push(failure);
  }
  if (totals !== undefined) process.send?.({ ...totals, failures });
}

/** Whatever ava calls a failure counts as one: a file that breaks off, what it left undone, and an error in no test. */
function totalsOf(statistics: RunStatistics): Omit<RunTotals, 'failures'> {
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
  const failures =
    'failures' in message && Array.isArray(message.failures) ? message.failures.map(String) : [];
  const { passed, failed, skipped } = message;
  return { passed: Number(passed), failed: Number(failed), skipped: Number(skipped), failures };
}

/** ava's own types leave out some events, so that what belongs to a failure is looked for in the event itself. */
function describeFailure(event: Event): string | undefined {
  const kind: string = event.type;
  if (!failureKinds.has(kind)) return undefined;
  const { testFile, title, err, nonZeroExitCode, signal, period } = Object(event);
  const file = typeof testFile === 'string' ? path.relative(process.cwd(), testFile) : 'ava';
  const reason = err?.message ?? nonZeroExitCode ?? signal ?? period;
  return [file, title, kind, reason].filter((part) => part !== undefined && part !== '').join(' · ');
}

const failureKinds = new Set([
  'hook-failed',
  'internal-error',
  'process-exit',
  'shared-worker-error',
  'test-failed',
  'timeout',
  'uncaught-exception',
  'unhandled-rejection',
  'worker-failed',
]);

/** The lines that end a run: whoever sees no more than them knows what failed. One that broke off is never without. */
export function closingLines(totals: RunTotals | undefined, exitCode: number): string {
  const { passed, failed, skipped, failures } = totals ?? { passed: 0, failed: 0, skipped: 0, failures: [] };
  const shownFailures = exitCode === 0 ? failed : Math.max(failed, 1);
  const counts = `${passed} passed, ${shownFailures} failed${skipped > 0 ? `, ${skipped} skipped` : ''}`;
  return [...failures, counts].join('\n');
}
