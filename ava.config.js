import path from 'node:path';

/**
 * What `npm test` leaves out and `npm run test:all` runs: whole folders of browsers, other people's clients,
 * hostile input, started programs and broken stores, and single files named *.exhaustive.test.ts.
 */
const exhaustive = [
  'tests/{account-file,browser,clients,contract,deploy,e2e,lifecycle,partitions,rehearsals,stores}/**',
  'tests/api/{bad-input,matrix}/**',
  'tests/**/*.exhaustive.test.ts',
];
const leftOut = process.env.TEST_SCOPE === 'fast' ? exhaustive : [];

export default {
  extensions: ['ts'],
  files: ['tests/**/*.test.ts', ...leftOut.map((pattern) => `!${pattern}`)],
  require: ['./tests/support/end-process.ts', './tests/support/plain-stack-traces.ts'],
  // Processes of their own: test files start servers, take signals and load native modules.
  workerThreads: false,
  // They live for seconds: room for what loading makes saves most of the garbage collections.
  nodeArguments: ['--min-semi-space-size=16'],
  // One more than the cores of a small machine: a quarter of its time a test waits for something else.
  concurrency: 3,
  // By their own names: a folder's files, which need the same of the machine, do not all run at once.
  sortTestFiles: (one, other) => path.basename(one).localeCompare(path.basename(other)),
  timeout: '5m',
};
