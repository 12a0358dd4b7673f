import path from 'node:path';
import { runSuite, runToItsEnd } from './support/run-suite.ts';

/**
 * `npm test`: all but the exhaustive files (see ava.config.js). `npm test -- <files or arguments of ava>`:
 * those. `npm run test:all`: every file.
 */
const given = process.argv.slice(2);
if (given.length === 0) process.env.TEST_SCOPE = 'fast';
const suite = {
  folder: path.join(import.meta.dirname, '..'),
  arguments: given.filter((argument) => argument !== '--all'),
};
await runToItsEnd((interruption) => runSuite(suite, interruption));
