import test from 'ava';
import { closingLine, type RunStatistics, readTotals, totalsOf } from './run-totals.ts';

const nothing: RunStatistics = {
  byFile: new Map(),
  declaredTests: 0,
  failedHooks: 0,
  failedTests: 0,
  failedWorkers: 0,
  files: 0,
  parallelRuns: undefined,
  finishedWorkers: 0,
  internalErrors: 0,
  remainingTests: 0,
  passedKnownFailingTests: 0,
  passedTests: 0,
  selectedTests: 0,
  sharedWorkerErrors: 0,
  skippedTests: 0,
  timedOutTests: 0,
  timeouts: 0,
  todoTests: 0,
  uncaughtExceptions: 0,
  unhandledRejections: 0,
};

test('passed, failed and skipped tests are counted', (t) => {
  const statistics = { ...nothing, passedTests: 7, failedTests: 2, skippedTests: 3, todoTests: 1 };
  t.deepEqual(totalsOf(statistics), { passed: 7, failed: 2, skipped: 4 });
});

const failures = [
  'failedHooks',
  'failedWorkers',
  'internalErrors',
  'remainingTests',
  'uncaughtExceptions',
  'unhandledRejections',
] as const;

for (const name of failures) {
  test(`what ava counts as ${name} is a failure`, (t) => {
    t.deepEqual(totalsOf({ ...nothing, passedTests: 7, [name]: 1 }), { passed: 7, failed: 1, skipped: 0 });
  });
}

test('only totals are taken for totals', (t) => {
  t.deepEqual(readTotals({ passed: 1, failed: 2, skipped: 3 }), { passed: 1, failed: 2, skipped: 3 });
  for (const message of [undefined, null, 'passed', { passed: 1 }]) t.is(readTotals(message), undefined);
});

test('the closing line states the numbers, and no success when ava failed', (t) => {
  t.is(closingLine({ passed: 12, failed: 0, skipped: 0 }, 0), '12 passed, 0 failed');
  t.is(closingLine({ passed: 12, failed: 3, skipped: 1 }, 1), '12 passed, 3 failed, 1 skipped');
  t.is(closingLine({ passed: 12, failed: 0, skipped: 0 }, 1), '12 passed, 1 failed');
  t.is(closingLine(undefined, 1), '0 passed, 1 failed');
});
