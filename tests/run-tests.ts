import path from 'node:path';
import { runSuite, runToItsEnd } from './support/run-suite.ts';

/** `npm test [-- <files or other arguments of ava>]` */
const suite = { folder: path.join(import.meta.dirname, '..'), arguments: process.argv.slice(2) };
await runToItsEnd((interruption) => runSuite(suite, interruption));
