import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { text } from 'node:stream/consumers';
import { projectFolder } from '../../results.ts';
import { startCluster } from '../cluster.ts';
import { judgeNoFailure, runUnderLoad, usualLoad } from '../load.ts';
import { missesOf, type Scenario } from '../scenario.ts';

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
      misses: missesOf(
        [failed.length > 0, `a run failed: ${failed[0]?.output.trim().slice(-200)}`],
        [doubled > 0, `in ${doubled} rounds not every migration was applied once`],
        [all === 0, 'nothing was applied'],
      ),
    };
  },
};

export const migrationWhileServing: Scenario = {
  id: 'migration-while-serving',
  fault: `migration of an up-to-date database under load, ×${rounds}`,
  goal: 'failed requests 0, none waits longer than 1 s',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const runs: MigrationRun[] = [];
    const trial = await runUnderLoad(cluster, usualLoad, async () => {
      for (let round = 0; round < rounds; round += 1) {
        runs.push(await runMigration(cluster.database.url));
        report(`run ${round + 1}`);
      }
    });
    const outcome = judgeNoFailure(cluster, trial, waitGoalMilliseconds);
    const isStrange = runs.some(({ code, applied }) => code !== 0 || applied > 0);
    return {
      ...outcome,
      misses: [...outcome.misses, ...missesOf([isStrange, 'a run failed or applied something'])],
    };
  },
};

type MigrationRun = { code: number | null; output: string; applied: number };

/** `npm run migrate` as a process of its own. */
async function runMigration(databaseUrl: string): Promise<MigrationRun> {
  const child = spawn(process.execPath, ['deploy/admin/migrate.ts'], {
    cwd: projectFolder,
    env: { DATABASE_URL: databaseUrl },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [written, errors, [code]] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    once(child, 'exit'),
  ]);
  const output = written + errors;
  return { code, output, applied: output.match(/^applied /gm)?.length ?? 0 };
}
