import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from './cluster.ts';
import type { RestartMode } from './database-server.ts';
import { missesOf } from './judge.ts';
import {
  describeOutcomes,
  latencyPercentile,
  millisecondsUntilHealthy,
  unexpectedOutcomes,
} from './load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from './load-trial.ts';
import type { Scenario } from './scenario.ts';

const restarts = 3;
const goals = { longestMilliseconds: 3_000, healthyMilliseconds: 1_000 };
const shape = {
  writers: 8,
  readers: 8,
  pauseMilliseconds: 60,
  requestLimit: 20_000,
  timeLimitMilliseconds: 120_000,
};

/** PostgreSQL is restarted under load, several times; clients see 503 at worst and soon success again. */
export function databaseRestart(mode: RestartMode): Scenario {
  return {
    id: `database-restart-${mode}`,
    fault: `PostgreSQL restarted ×${restarts} (${mode}) under load`,
    goal: 'nothing but success and 503 with Retry-After, no answer later than 3 s, success again ≤ 1 s after PostgreSQL accepts, lost 0',
    async run(report) {
      await using cluster = await startCluster({ services: ['resource-api'] });
      const awayMilliseconds: number[] = [];
      const acceptsAt: number[] = [];
      const trial = await runUnderLoad(cluster, shape, async () => {
        for (let turn = 0; turn < restarts; turn += 1) {
          const began = performance.now();
          await cluster.database.restart(mode);
          acceptsAt.push(performance.now());
          awayMilliseconds.push(Math.round(performance.now() - began));
          report(`away for ${awayMilliseconds.at(-1)} ms`);
          await delay(5_000);
        }
      });
      const healthy = acceptsAt.map((at, index) => {
        const next = acceptsAt[index + 1];
        // Up to the next restart, which begins that much before it ends.
        const until =
          next === undefined ? Number.POSITIVE_INFINITY : next - (awayMilliseconds[index + 1] ?? 0);
        const answered = trial.requests.filter(({ sentAt, milliseconds }) => sentAt + milliseconds < until);
        return millisecondsUntilHealthy(answered, at);
      });
      const { lost, misses } = lossOf(trial);
      const longest = latencyPercentile(trial.requests, 1);
      const slowestHealing = Math.max(...healthy);
      return {
        clientsSaw: `${describeOutcomes(trial.requests)}; longest wait ${longest} ms`,
        lost,
        healthyAfter: `${slowestHealing} ms`,
        figures: {
          awayMilliseconds: awayMilliseconds.join(', '),
          longestMilliseconds: longest,
          healthyAfterMilliseconds: healthy.join(', '),
          ...writeFigures(trial),
        },
        misses: [
          ...misses,
          ...unexpectedOutcomes(trial.requests),
          ...missesOf(
            [longest > goals.longestMilliseconds, `an answer came after ${longest} ms`],
            [slowestHealing > goals.healthyMilliseconds, `healthy only after ${slowestHealing} ms`],
            [cluster.unexpectedEnds() > 0, 'a replica ended'],
          ),
        ],
      };
    },
  };
}
