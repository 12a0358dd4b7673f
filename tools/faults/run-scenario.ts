import { MissingProgramError } from './scenario.ts';
import { scenarios } from './scenarios.ts';

/*
 * Runs one scenario, named by the first argument, in a process of its own: whatever becomes of it, the
 * processes that it started end with it. Sends `{ line }` and at the end `{ outcome }`, `{ missing }` or
 * `{ failure }` to its parent.
 */
const scenario = scenarios.find(({ id }) => id === process.argv[2]);
if (scenario === undefined) throw new Error(`there is no scenario ${process.argv[2]}`);

process.once('disconnect', () => process.exit(1));
process.once('SIGTERM', () => process.exit(1));
try {
  process.send?.({ outcome: await scenario.run((line) => void process.send?.({ line })) });
} catch (error) {
  if (error instanceof MissingProgramError) process.send?.({ missing: error.message });
  else process.send?.({ failure: error instanceof Error ? (error.stack ?? error.message) : String(error) });
}
// After the messages are sent, nothing else keeps this process alive.
process.channel?.unref();
setTimeout(() => process.exit(0), 1_000).unref();
