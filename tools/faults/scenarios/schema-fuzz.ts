import type { OperationResult } from '#tests/contract/fuzz-operation.ts';
import { runSchemaFuzz } from '#tests/contract/schema-fuzz.ts';
import { startStack } from '#tests/support/stack.ts';
import { startTestServers } from '#tests/support/test-servers.ts';
import { missesOf } from '../judge.ts';
import type { Scenario } from '../scenario.ts';

const runs = 1_000;
const failuresShown = 20;
/** Requests answered at the same time; more of them only wait for each other. */
const lanes = 6;

export const schemaFuzz: Scenario = {
  id: 'schema-fuzz',
  fault: `${runs} valid and ${runs} invalid requests to every operation, made from the served document`,
  goal: 'answers 5xx, undocumented or of another shape 0; valid ones refused 0; invalid ones accepted 0',
  limitMinutes: 90,
  async run(report) {
    const servers = await startTestServers({ redisKind: 'auto', signal: new AbortController().signal });
    Object.assign(process.env, servers.environment);
    try {
      const stack = await startStack(undefined, { withAuthServer: true });
      try {
        const seed = Date.now() % 2 ** 31;
        report(`seed ${seed}`);
        const begin = performance.now();
        const say = (result: OperationResult): void => report(describeResult(result));
        const results = await runSchemaFuzz(stack, {
          seed,
          validRuns: runs,
          invalidRuns: runs,
          lanes,
          report: say,
        });
        return outcomeOf(results, seed, Math.round((performance.now() - begin) / 1_000));
      } finally {
        await stack.close();
      }
    } finally {
      await servers.stop();
    }
  },
};

function outcomeOf(results: readonly OperationResult[], seed: number, seconds: number) {
  const failures = results.flatMap((result) => result.failures);
  const sum = (of: (result: OperationResult) => number): number =>
    results.reduce((total, one) => total + of(one), 0);
  const figures = {
    operations: results.length,
    valid: sum(({ valid }) => valid),
    done: sum(({ done }) => done),
    'refused with reason': sum(({ refused }) => total(refused)),
    invalid: sum(({ invalid }) => total(invalid)),
    'kinds of violation': new Set(results.flatMap(({ invalid }) => [...invalid.keys()])).size,
    failures: failures.length,
    seconds,
    seed,
  };
  const tooFew = results.filter(({ valid, invalid }) => valid < runs || total(invalid) < runs);
  return {
    clientsSaw: `${figures.valid + figures.invalid} requests, ${failures.length} failures`,
    lost: 'nothing',
    healthyAfter: '–',
    figures,
    misses: [
      ...failures.slice(0, failuresShown),
      ...missesOf([
        tooFew.length > 0,
        `too few requests to ${tooFew.map(({ operation }) => operation).join(', ')}`,
      ]),
    ],
  };
}

function describeResult({ operation, valid, done, refused, invalid, failures }: OperationResult): string {
  const reasons = [...refused].map(([reason, count]) => `${count} ${reason}`).join('; ');
  const head = `${operation}: ${valid} valid, ${done} done${reasons && ` (${reasons})`}; ${total(invalid)} invalid`;
  return [`${head}; ${failures.length} failures`, ...failures].join('\n  ');
}

const total = (counts: ReadonlyMap<string, number>): number =>
  [...counts.values()].reduce((sum, count) => sum + count, 0);
