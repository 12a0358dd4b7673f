import { registerCompletionHandler } from 'ava';

/*
 * Loaded by ava before each test file. A process that does not end by itself after its last test has left something
 * open. That is a failure, but not one to wait minutes for.
 */
const graceMilliseconds = 15_000;

registerCompletionHandler(() => {
  const endByForce = () => {
    const left = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(
      `The tests have ended, but something they left open keeps the process alive: ${left}\n`,
    );
    process.exit(1);
  };
  setTimeout(endByForce, graceMilliseconds).unref();
});
