import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type Cluster, startCluster } from './cluster.ts';
import { missesOf } from './judge.ts';
import { createLoadAccounts } from './load-accounts.ts';
import { describeOutcomes, isSuccess, percentile } from './load-figures.ts';
import type { Outcome, Scenario } from './scenario.ts';
import { type SteadyAnswer, sendSteadily } from './steady-requests.ts';

type RedisFault = Pick<Scenario, 'id' | 'fault'> & {
  proxied: boolean;
  /** Brings the fault about for that long. */
  cause(cluster: Cluster, milliseconds: number): Promise<void>;
};

const calmMilliseconds = 8_000;
const faultMilliseconds = 8_000;
const firstMilliseconds = 1_000;
const warmUpMilliseconds = 4_000;
const traffic = { perSecond: 60, clients: 12 };
/** A machine whose p99 varies by more tells nothing about a few milliseconds. */
const quietMilliseconds = 10;
const goals = { firstSecondMilliseconds: 60, laterMilliseconds: 2 };

/** A Redis that answers late or never; what that adds to the time of answers. */
export function redisLatency({ id, fault, proxied, cause }: RedisFault): Scenario {
  return {
    id,
    fault,
    goal: `no request fails; p99 grows by ≤ ${goals.firstSecondMilliseconds} ms in the first second and by ≤ ${goals.laterMilliseconds} ms later (and what p99 varies by itself)`,
    async run(report) {
      await using cluster = await startCluster({
        services: ['resource-api'],
        replicas: 1,
        ...(proxied && { proxied: 'redis' }),
      });
      const seconds = (warmUpMilliseconds + calmMilliseconds + faultMilliseconds + 4_000) / 1_000;
      const [account] = await cluster.database.query((sql) =>
        createLoadAccounts(sql, { accounts: 1, requests: traffic.perSecond * seconds }),
      );
      const sending = sendSteadily({
        ...traffic,
        seconds,
        urls: cluster.apiUrls,
        requestFor: () => ({ method: 'GET', path: `${apiRootPath}/me`, token: account?.nextToken() }),
      });
      await delay(warmUpMilliseconds + calmMilliseconds);
      const faultAt = performance.now();
      report('the fault begins');
      await cause(cluster, faultMilliseconds);
      report('the fault is over');
      return judge(await sending, faultAt);
    },
  };
}

function judge(answers: readonly SteadyAnswer[], faultAt: number): Outcome {
  const between = (from: number, to: number) =>
    answers.filter(({ sentAt }) => sentAt >= faultAt + from && sentAt < faultAt + to);
  const calm = between(-calmMilliseconds, 0);
  const halves = [between(-calmMilliseconds, -calmMilliseconds / 2), between(-calmMilliseconds / 2, 0)];
  const first = between(0, firstMilliseconds);
  const later = between(firstMilliseconds, faultMilliseconds);
  const [left = 0, right = 0] = halves.map(p99);
  const noise = rounded(Math.abs(left - right));
  const addedFirst = rounded(p99(first) - p99(calm));
  const addedLater = rounded(p99(later) - p99(calm));
  const failed = answers.filter((answer) => !isSuccess(answer));
  return {
    clientsSaw: `${describeOutcomes(answers)}; p99 ${rounded(p99(calm))} ms before, ${rounded(p99(first))} ms in the first second, ${rounded(p99(later))} ms later`,
    lost: 'nothing: Redis keeps counts alone',
    healthyAfter: '–',
    figures: {
      addedFirstSecondMilliseconds: addedFirst,
      addedLaterMilliseconds: addedLater,
      p99VariesByMilliseconds: noise,
      medianBeforeMilliseconds: rounded(median(calm)),
      medianLaterMilliseconds: rounded(median(later)),
      requests: answers.length,
    },
    misses: missesOf(
      [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
      [noise > quietMilliseconds, `p99 varies by ${noise} ms by itself: too busy a machine to tell`],
      [
        addedFirst > goals.firstSecondMilliseconds + noise,
        `p99 grew by ${addedFirst} ms in the first second`,
      ],
      [addedLater > goals.laterMilliseconds + noise, `p99 grew by ${addedLater} ms later`],
    ),
  };
}

const p99 = (answers: readonly SteadyAnswer[]) =>
  percentile(
    answers.map(({ milliseconds }) => milliseconds),
    0.99,
  );
const median = (answers: readonly SteadyAnswer[]) =>
  percentile(
    answers.map(({ milliseconds }) => milliseconds),
    0.5,
  );
const rounded = (value: number) => Math.round(value * 10) / 10;
