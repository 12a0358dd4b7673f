import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { fuzzDocument } from './fuzz-document.ts';

/** The same seed sends the same requests. FUZZ_SEED and FUZZ_OPERATION, a regular expression, choose others. */
const seed = Number(process.env.FUZZ_SEED ?? 20_261_121);
const only = new RegExp(process.env.FUZZ_OPERATION ?? '');

const stack = await startStack(test, { withAuthServer: true });

test('the service does what its document promises, and refuses what it forbids', async (t) => {
  t.timeout(300_000);
  t.log(`seed ${seed}`);
  const results = await fuzzDocument(stack, { seed, runs: 40, only });
  t.deepEqual(
    results.flatMap(({ failures }) => failures),
    [],
  );
  t.deepEqual(
    results.filter(({ accepted }) => accepted === 0).map(({ operation }) => operation),
    [],
  );
});
