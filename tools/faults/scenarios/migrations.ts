import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { describeOutcomes, isSuccess, latencyPercentile } from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import { type MigrationRun, runMigration } from '../migration-runs.ts';
import type { Scenario } from '../scenario.ts';

const rounds = 5;
const waitGoalMilliseconds = 1_000;

export const twoMigrations: Scenario = {
  id: 'migrations-at-once',
  fault: `two migrations of one empty database at once, ×${rounds}`,
  goal: 'one applies, one finds nothing to do, both exit 0',
  async run(report) {
    await using cluster = await startCluster({ services: [] });
    const pairs: [MigrationRun, MigrationRun][] = [];
    for (let round = 0; round < rounds; round += 1) {
      const url = await cluster.database.createDatabase(`migrated_${round}`);
      pairs.push(await Promise.all([runMigration(url), runMigration(url)]));
      report(`round ${round + 1}`);
    }
    const failed = pairs.flat().filter(({ code }) => code !== 0);
    const all = Math.max(...pairs.flat().map(({ applied }) => applied));
    const doubled = pairs.filter(([left, right]) => left.applied + right.applied !== all).length;
    return {
      clientsSaw: '–',
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        runs: pairs.flat().length,
        migrations: all,
        failed: failed.length,
        appliedBy: pairs.map(([left, right]) => `${left.applied}+${right.applied}`).join(', '),
      },
      misses: missesOf(
        [failed.length > 0, `a run failed: ${failed[0]?.output.trim().slice(-200)}`],
        [doubled > 0, `in ${doubled} rounds not every migration was applied once`],
        [all === 0, 'nothing was applied'],
      ),
    };
  },
};

const shape = {
  writers: 8,
  readers: 8,
  pauseMilliseconds: 60,
  requestLimit: 10_000,
  timeLimitMilliseconds: 60_000,
};

export const migrationWhileServing: Scenario = {
  id: 'migration-while-serving',
  fault: `migration of an up-to-date database under load, ×${rounds}`,
  goal: 'failed requests 0, none waits longer than 1 s',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const runs: MigrationRun[] = [];
    const trial = await runUnderLoad(cluster, shape, async () => {
      for (let round = 0; round < rounds; round += 1) {
        runs.push(await runMigration(cluster.database.url));
        report(`run ${round + 1}`);
      }
    });
    const failed = trial.requests.filter((request) => !isSuccess(request));
    const longest = latencyPercentile(trial.requests, 1);
    const { lost, misses } = lossOf(trial);
    return {
      clientsSaw: `${describeOutcomes(trial.requests)}; longest wait ${longest} ms`,
      lost,
      healthyAfter: '–',
      figures: { runs: runs.length, longestMilliseconds: longest, ...writeFigures(trial) },
      misses: [
        ...misses,
        ...missesOf(
          [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
          [longest > waitGoalMilliseconds, `an answer came after ${longest} ms`],
          [runs.some(({ code, applied }) => code !== 0 || applied > 0), 'a run failed or applied something'],
        ),
      ],
    };
  },
};
