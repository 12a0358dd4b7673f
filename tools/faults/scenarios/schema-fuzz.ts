import { fuzzDocument } from '#tests/contract/fuzz-document.ts';
import { startStack } from '#tests/support/stack.ts';
import { startTestServers } from '#tests/support/test-servers.ts';
import type { Scenario } from '../scenario.ts';

const runs = 1_000;
const failuresShown = 20;

export const schemaFuzz: Scenario = {
  id: 'schema-fuzz',
  fault: `${runs} valid requests and each breach of a rule to every operation, made from the served document`,
  goal: 'answers 5xx, undocumented or of another shape 0; invalid ones accepted 0',
  limitMinutes: 90,
  async run(report) {
    const servers = await startTestServers({ redisKind: 'auto', signal: new AbortController().signal });
    Object.assign(process.env, servers.environment);
    try {
      const stack = await startStack(undefined, { withAuthServer: true });
      try {
        const seed = Date.now() % 2 ** 31;
        report(`seed ${seed}`);
        const results = await fuzzDocument(stack, { seed, runs });
        const failures = results.flatMap((result) => result.failures);
        const requests = results.reduce((sum, result) => sum + result.requests, 0);
        return {
          clientsSaw: `${requests} requests, ${failures.length} failures`,
          lost: 'nothing',
          healthyAfter: '–',
          figures: { operations: results.length, requests, failures: failures.length, seed },
          misses: failures.slice(0, failuresShown),
        };
      } finally {
        await stack.close();
      }
    } finally {
      await servers.stop();
    }
  },
};
