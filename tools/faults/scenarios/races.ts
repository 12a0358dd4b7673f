import fc from 'fast-check';
import { interleavings, runInterleaving } from '#tests/model/interleavings.ts';
import { longWalk } from '#tests/model/races/long-walk.ts';
import { oauthRaces } from '#tests/model/races/oauth-races.ts';
import { capsInParallel, downgradeRaces } from '#tests/model/races/plan-caps.ts';
import { fieldPatches, projectClosings } from '#tests/model/races/project-races.ts';
import { openContenders, type RaceResult, type RaceWorld } from '#tests/model/races/race.ts';
import { repeatingCompletions } from '#tests/model/races/repeating-completions.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { startCluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';

const wantedInterleavings = 10_000;
const lanes = 6;
const interleavingMilliseconds = 45 * 60_000;

export const races: Scenario = {
  id: 'races',
  fault: 'several clients of one account at once, over two replicas',
  goal: `${wantedInterleavings} interleavings each explained by some order; caps, completions and codes exact`,
  limitMinutes: 65,
  async run(report) {
    // A busy machine is no unavailable database.
    await using cluster = await startCluster({ environment: { DATABASE_WAIT_MILLISECONDS: '20000' } });
    const connection = connectSql(cluster.database.url);
    const world: RaceWorld = { apiUrls: cluster.apiUrls, sql: connection.sql };
    const authServerUrls = cluster.replicas['auth-server'].map(({ url }) => url);
    const steps: Record<string, () => Promise<RaceResult>> = {
      'parallel completions': () => repeatingCompletions(50)(world),
      caps: () => capsInParallel(world),
      'downgrade races': () => downgradeRaces(20)(world),
      'project closings': () => projectClosings(200)(world),
      'field patches': () => fieldPatches(100)(world),
      'a long walk': () => longWalk(10_000)(world),
      OAuth: () => oauthRaces(world, { baseUrl: cluster.baseUrl, authServerUrls }, 10),
      interleavings: () => interleave(world),
    };
    const results: RaceResult[] = [];
    try {
      for (const [name, step] of Object.entries(steps)) {
        const result = await step();
        report(`${name}: ${JSON.stringify(result.figures)} ${result.misses.join('; ')}`.slice(0, 3_000));
        results.push(result);
      }
    } finally {
      await connection.close();
    }
    const misses = results.flatMap((result) => result.misses);
    const figures = Object.assign({}, ...results.map((result) => result.figures));
    return {
      clientsSaw: 'answers that some order of the requests explains',
      lost: misses.length === 0 ? 'nothing' : `${misses.length} races went wrong`,
      healthyAfter: '–',
      figures: { ...figures, unexpectedEnds: cluster.unexpectedEnds() },
      misses: misses.map((miss) => miss.slice(0, 300)),
    };
  },
};

async function interleave(world: RaceWorld): Promise<RaceResult> {
  const seed = Date.now() % 1_000_000;
  const statuses = new Map<number, number>();
  let explained = 0;
  const property = fc.asyncProperty(interleavings, async (wanted) => {
    const contenders = await openContenders(world, { clients: 4, requestsEach: 40 });
    try {
      const today = new Date().toISOString().slice(0, 10);
      for (const status of await runInterleaving(contenders.clients, today, wanted)) {
        statuses.set(status, (statuses.get(status) ?? 0) + 1);
      }
      explained += 1;
    } finally {
      contenders.close();
    }
  });
  const runLane = async (_: unknown, lane: number): Promise<string[]> => {
    try {
      await fc.assert(property, {
        numRuns: Math.ceil(wantedInterleavings / lanes),
        seed: seed + lane,
        // A race that went wrong once may go well when it is run again.
        endOnFailure: true,
        interruptAfterTimeLimit: interleavingMilliseconds,
        markInterruptAsFailure: false,
        includeErrorInReport: true,
      });
      return [];
    } catch (error) {
      return [error instanceof Error ? error.message : String(error)];
    }
  };
  const misses = await Promise.all(Array.from({ length: lanes }, runLane));
  const counts = [...statuses].toSorted(([one], [other]) => one - other);
  const answers = counts.map(([status, count]) => `${count} × ${status}`).join(', ');
  const tooFew = `only ${explained} interleavings in the time given`;
  return {
    figures: { interleavings: explained, racedAnswers: answers, seed },
    misses: [...misses.flat(), ...(explained < wantedInterleavings ? [tooFew] : [])],
  };
}
