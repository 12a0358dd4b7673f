import { registerCompletionHandler } from 'ava';

/*
 * Loaded by ava before each test file. The process stays until its last test has ended, also while all that a
 * test waits for is the end of a server that keeps no process alive. Then it has to end by itself: what keeps
 * it was left open by a test, which is a failure, but not one to wait minutes for.
 */
const graceMilliseconds = 15_000;

const untilTestsEnd = setInterval(() => undefined, graceMilliseconds);

registerCompletionHandler(() => {
  clearInterval(untilTestsEnd);
  const endByForce = () => {
    const left = process.getActiveResourcesInfo().join(', ');
    process.stderr.write(
      `The tests have ended, but something they left open keeps the process alive: ${left}\n`,
    );
    process.exit(1);
  };
  setTimeout(endByForce, graceMilliseconds).unref();
});
