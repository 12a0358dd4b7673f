import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../cluster.ts';
import { healthNoticeMilliseconds } from '../haproxy.ts';
import { missesOf } from '../judge.ts';
import { describeOutcomes, isSuccess } from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import type { Scenario } from '../scenario.ts';

const kills = 50;
const shape = {
  writers: 16,
  readers: 2,
  pauseMilliseconds: 60,
  requestLimit: 40_000,
  timeLimitMilliseconds: 240_000,
};

export const killResourceApi: Scenario = {
  id: 'kill-resource-api',
  fault: `kill -9 of a resource-api replica ×${kills} under 16 writers`,
  goal: 'acknowledged writes lost 0, half-written 0, gaps 0, done twice with a key 0; 0 × 500',
  async run(report) {
    await using cluster = await startCluster({ behindHaproxy: true, services: ['resource-api'] });
    let killed = 0;
    const trial = await runUnderLoad(cluster, shape, async (load) => {
      const end = performance.now() + shape.timeLimitMilliseconds - 20_000;
      while (killed < kills && performance.now() < end) {
        const replica = cluster.replicas['resource-api'][killed % 2];
        if (replica === undefined) throw new Error('a replica is missing');
        await replica.end('SIGKILL');
        killed += 1;
        await replica.start();
        await delay(healthNoticeMilliseconds);
        if (killed % 10 === 0) report(`${killed} kills, ${load.requests.length} requests`);
      }
    });
    const { lost, misses } = lossOf(trial);
    const failed = trial.requests.filter((request) => !isSuccess(request));
    // 502: haproxy's word for a replica that died with the request.
    const strange = failed.filter(
      ({ outcome }) => typeof outcome === 'number' && ![502, 503].includes(outcome),
    );
    return {
      clientsSaw: describeOutcomes(trial.requests),
      lost,
      healthyAfter: 'at once: the other replica answers',
      figures: {
        kills: killed,
        requests: trial.requests.length,
        failedRequests: failed.length,
        failedAtHaproxy: failed.filter(({ isWellFormed }) => !isWellFormed).length,
        ...writeFigures(trial),
      },
      misses: [
        ...misses,
        ...missesOf(
          [strange.length > 0, `answers that no kill explains: ${describeOutcomes(strange)}`],
          [killed < kills, `only ${killed} of ${kills} kills in the time given`],
        ),
      ],
    };
  },
};
