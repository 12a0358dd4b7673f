import test from 'ava';
import fc from 'fast-check';
import { startStack } from '#tests/support/stack.ts';
import { interleavings, runInterleaving } from './interleavings.ts';
import { capsInParallel, downgradeRaces } from './races/plan-caps.ts';
import { fieldPatches, projectClosings } from './races/project-races.ts';
import { openContenders, type Race, type RaceWorld } from './races/race.ts';
import { repeatingCompletions } from './races/repeating-completions.ts';
import { startTwoReplicas } from './replicas.ts';

/* Clients of one account over two processes: within one process the account's writes take turns anyway. */

const stack = await startStack(test);
const parts = new AsyncDisposableStack();
let world: RaceWorld = { apiUrls: [], sql: stack.sql };
test.before(async () => {
  world = { apiUrls: await startTwoReplicas(stack, parts), sql: stack.sql };
});
test.after.always(() => parts.disposeAsync());

for (const seed of [1, 2]) {
  test(`whatever several clients ask of one task at once is explained by some order of it (${seed})`, async (t) => {
    t.timeout(300_000);
    const property = fc.asyncProperty(interleavings, async (wanted) => {
      const contenders = await openContenders(world, { clients: 4, requestsEach: 40 });
      try {
        await runInterleaving(contenders.clients, new Date().toISOString().slice(0, 10), wanted);
      } finally {
        contenders.close();
      }
    });
    // A race that went wrong once may go well when it is run again: what failed is shown as it was.
    const options = { numRuns: 20, seed, endOnFailure: true, includeErrorInReport: true };
    await t.notThrowsAsync(() => fc.assert(property, options));
  });
}

const races: Record<string, Race> = {
  'parallel completions of a repeating task each log their own day': repeatingCompletions(6),
  'creations at a free plan’s caps come to exactly the cap': capsInParallel,
  'a downgrade stops creations beyond the cap at once': downgradeRaces(3),
  'no open task is left in a project that is completed while it is filled': projectClosings(10),
  'patches of different fields at once are all kept': fieldPatches(5),
};

for (const [title, race] of Object.entries(races)) {
  test(`over two replicas ${title}`, async (t) => {
    t.timeout(300_000);
    const { misses } = await race(world);
    t.deepEqual(misses, []);
  });
}
