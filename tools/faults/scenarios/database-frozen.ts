import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import {
  describeOutcomes,
  latencyPercentile,
  millisecondsUntilHealthy,
  unexpectedOutcomes,
} from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import { watchMemory } from '../memory-watch.ts';
import type { Scenario } from '../scenario.ts';

const frozenMilliseconds = 10_000;
const goals = { longestMilliseconds: 3_000, healthyMilliseconds: 1_000, growthMegabytes: 20 };
const shape = {
  writers: 12,
  readers: 12,
  pauseMilliseconds: 60,
  requestLimit: 20_000,
  timeLimitMilliseconds: 90_000,
};

export const databaseFrozen: Scenario = {
  id: 'database-frozen',
  fault: 'PostgreSQL frozen for 10 s (SIGSTOP) under load',
  goal: 'no answer later than 3 s, memory of a replica grows ≤ 20 MB, success again ≤ 1 s after it goes on, lost 0',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    let goesOnAt = 0;
    let growth = 0;
    const trial = await runUnderLoad(cluster, shape, async () => {
      // What compiled code and caches take belongs to no fault.
      await delay(10_000);
      const memory = watchMemory(cluster.replicas['resource-api']);
      try {
        report('frozen');
        await cluster.database.freeze(frozenMilliseconds);
        goesOnAt = performance.now();
        growth = memory.growthMegabytes();
        report('goes on');
        await delay(6_000);
      } finally {
        memory.stop();
      }
    });
    const { lost, misses } = lossOf(trial);
    const frozen = trial.requests.filter(
      ({ sentAt, milliseconds }) =>
        sentAt + milliseconds > goesOnAt - frozenMilliseconds && sentAt < goesOnAt,
    );
    const longest = latencyPercentile(trial.requests, 1);
    const healthy = millisecondsUntilHealthy(trial.requests, goesOnAt);
    return {
      clientsSaw: `while frozen ${describeOutcomes(frozen)}; longest wait ${longest} ms`,
      lost,
      healthyAfter: `${healthy} ms`,
      figures: {
        longestMilliseconds: longest,
        healthyAfterMilliseconds: healthy,
        growthMegabytes: growth,
        requests: trial.requests.length,
        ...writeFigures(trial),
      },
      misses: [
        ...misses,
        ...unexpectedOutcomes(trial.requests),
        ...missesOf(
          [longest > goals.longestMilliseconds, `an answer came after ${longest} ms`],
          [healthy > goals.healthyMilliseconds, `healthy only after ${healthy} ms`],
          [growth > goals.growthMegabytes, `a replica grew by ${growth} MB`],
          [cluster.unexpectedEnds() > 0, 'a replica ended'],
        ),
      ],
    };
  },
};
