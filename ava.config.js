import { sendTotals } from './tests/support/run-totals.ts';

export default {
  extensions: ['ts'],
  files: ['tests/**/*.test.ts'],
  require: ['./tests/support/end-process.ts'],
  // Processes of their own: test files start servers, take signals and load native modules.
  workerThreads: false,
  concurrency: 2,
  timeout: '5m',
  nonSemVerExperiments: { observeRunsFromConfig: true },
  observeRun: sendTotals,
};
