import { setTimeout as delay } from 'node:timers/promises';
import { startCluster } from '../cluster.ts';
import { healthNoticeMilliseconds } from '../haproxy.ts';
import { missesOf } from '../judge.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import type { Load, RequestRecord } from '../load.ts';
import { describeOutcomes, isSuccess, latencyPercentile } from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import type { Scenario } from '../scenario.ts';

const rounds = 5;
const requestGoal = 20_000;
const drain = { delayMilliseconds: 2_000, graceMilliseconds: 10_000 };
/** Within which a replica has to be gone, the delay included. */
const exitGoalMilliseconds = drain.delayMilliseconds + drain.graceMilliseconds - 5_000;
const shape = {
  writers: 6,
  readers: 10,
  pauseMilliseconds: 50,
  requestLimit: 80_000,
  timeLimitMilliseconds: 300_000,
};

export const rollingRestart: Scenario = {
  id: 'rolling-restart',
  fault: `rolling restart ×${rounds} of both services, two replicas each, behind haproxy, keep-alive clients`,
  goal: `failed requests 0 of ≥ ${requestGoal}; exit code 0 within ${exitGoalMilliseconds} ms`,
  async run(report) {
    await using cluster = await startCluster({
      behindHaproxy: true,
      environment: {
        SHUTDOWN_DELAY_MILLISECONDS: String(drain.delayMilliseconds),
        SHUTDOWN_GRACE_MILLISECONDS: String(drain.graceMilliseconds),
      },
    });
    const exits: { code: number | null; milliseconds: number }[] = [];
    const metadata = watchMetadata(cluster.baseUrl);
    const trial = await runUnderLoad(cluster, shape, async (load) => {
      const replicas = Object.values(cluster.replicas).flat();
      for (let round = 0; round < rounds; round += 1) {
        for (const replica of replicas) {
          const began = performance.now();
          const { code } = await replica.end('SIGTERM');
          exits.push({ code, milliseconds: Math.round(performance.now() - began) });
          await replica.start();
          await delay(healthNoticeMilliseconds);
        }
        report(`round ${round + 1}: ${load.requests.length} requests`);
      }
      await untilEnough(load);
    });
    const requests = [...trial.requests, ...(await metadata.stop())];
    const failed = requests.filter((request) => !isSuccess(request));
    const { lost, misses } = lossOf(trial);
    const slowestExit = Math.max(...exits.map(({ milliseconds }) => milliseconds));
    const badExits = exits.filter(({ code }) => code !== 0).length;
    return {
      clientsSaw: describeOutcomes(requests),
      lost,
      healthyAfter: failed.length === 0 ? 'at no time down' : '–',
      figures: {
        requests: requests.length,
        failed: failed.length,
        failedAtHaproxy: failed.filter(({ isWellFormed }) => !isWellFormed).length,
        restarts: exits.length,
        slowestExitMilliseconds: slowestExit,
        longestMilliseconds: latencyPercentile(trial.requests, 1),
        p99Milliseconds: latencyPercentile(trial.requests, 0.99),
        ...writeFigures(trial),
      },
      misses: [
        ...misses,
        ...missesOf(
          [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
          [requests.length < requestGoal, `only ${requests.length} requests`],
          [badExits > 0, `${badExits} of ${exits.length} replicas ended with another code than 0`],
          [slowestExit > exitGoalMilliseconds, `a replica took ${slowestExit} ms to end`],
          [cluster.unexpectedEnds() > 0, 'a replica ended by itself'],
        ),
      ],
    };
  },
};

async function untilEnough(load: Load): Promise<void> {
  let isOver = false;
  void load.finished.finally(() => {
    isOver = true;
  });
  while (!isOver && load.requests.length < requestGoal) await delay(200);
}

/** A client of auth-server beside those of the API. */
function watchMetadata(baseUrl: string) {
  const client = createKeepAliveClient(baseUrl);
  const answers: RequestRecord[] = [];
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const answer = await client.send({ method: 'GET', path: '/.well-known/oauth-authorization-server' });
      const { outcome, sentAt, milliseconds } = answer;
      answers.push({ kind: 'read', outcome, sentAt, milliseconds, isWellFormed: true });
      await delay(25);
    }
    client.close();
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return answers;
    },
  };
}
