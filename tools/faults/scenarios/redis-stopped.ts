import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { describeOutcomes, isSuccess, latencyPercentile } from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import type { Scenario } from '../scenario.ts';

const shape = {
  writers: 8,
  readers: 8,
  pauseMilliseconds: 60,
  requestLimit: 20_000,
  timeLimitMilliseconds: 60_000,
};

export const redisStopped: Scenario = {
  id: 'redis-stopped',
  fault: 'Redis stopped for 5 s and started again empty, ×2, under load',
  goal: 'no request fails',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const trial = await runUnderLoad(cluster, shape, async () => {
      for (let turn = 0; turn < 2; turn += 1) {
        await cluster.redis.stop();
        report('Redis is away');
        await delay(5_000);
        await cluster.redis.start();
        report('Redis is back');
        await delay(4_000);
      }
    });
    const { lost, misses } = lossOf(trial);
    const failed = trial.requests.filter((request) => !isSuccess(request));
    const longest = latencyPercentile(trial.requests, 1);
    return {
      clientsSaw: `${describeOutcomes(trial.requests)}; longest wait ${longest} ms`,
      lost,
      healthyAfter: '–',
      figures: {
        requests: trial.requests.length,
        failed: failed.length,
        longestMilliseconds: longest,
        ...writeFigures(trial),
      },
      misses: [
        ...misses,
        ...missesOf(
          [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
          [cluster.unexpectedEnds() > 0, 'a replica ended'],
        ),
      ],
    };
  },
};
