import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { type GrowthSample, growthPerHour, watchGrowth } from '../growth-watch.ts';
import { missesOf } from '../judge.ts';
import type { ClientRequest } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { describeOutcomes, isSuccess } from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import type { Scenario } from '../scenario.ts';
import { type SteadyAnswer, sendSteadily } from '../steady-requests.ts';

const minutes = 30;
/** Compiled code, caches and the heap's working size come with the first minutes. */
const settledAfterMinutes = 10;
const goals = { memoryMegabytesPerHour: 30, handlesPerHour: 6 };
const shape = {
  writers: 6,
  readers: 6,
  pauseMilliseconds: 250,
  requestLimit: 120_000,
  timeLimitMilliseconds: minutes * 60_000 + 30_000,
};
const authRequestsPerSecond = 4;

const registration: ClientRequest = {
  method: 'POST',
  path: '/oauth/register',
  body: { client_name: 'Soak', redirect_uris: ['http://127.0.0.1/callback'] },
};
const metadata: ClientRequest = { method: 'GET', path: '/.well-known/oauth-authorization-server' };
const signInPage: ClientRequest = { method: 'GET', path: '/sign-in' };

export const soak: Scenario = {
  id: 'soak',
  fault: `${minutes} minutes of mixed load on both services`,
  goal: `no failed request, memory ≤ ${goals.memoryMegabytesPerHour} MB and handles ≤ ${goals.handlesPerHour} more an hour once settled, lost 0`,
  limitMinutes: minutes + 10,
  async run(report) {
    await using cluster = await startCluster({
      replicas: 1,
      environment: {
        REGISTRATIONS_PER_ADDRESS_PER_HOUR: '1000000',
        TOKEN_REQUESTS_PER_ADDRESS_PER_MINUTE: '1000000',
      },
    });
    const replicas = Object.values(cluster.replicas).flat();
    const authUrls = cluster.replicas['auth-server'].map(({ url }) => url);
    const exchanging = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: 4, requests: minutes * 60 * authRequestsPerSecond }),
    );
    const exchange = (number: number): ClientRequest => ({
      method: 'POST',
      path: `${apiRootPath}/auth/token`,
      body: { subjectToken: exchanging[number % exchanging.length]?.nextToken() },
    });
    const authRequest = (number: number): ClientRequest =>
      [exchange, () => metadata, () => signInPage, () => registration][number % 4]?.(number) ?? metadata;

    let authAnswers: SteadyAnswer[] = [];
    let samples: readonly (readonly GrowthSample[])[] = [];
    const trial = await runUnderLoad(cluster, shape, async () => {
      const watch = watchGrowth(replicas);
      const progress = setInterval(() => report(describeLatest(watch.samples())), 60_000);
      try {
        authAnswers = await sendSteadily({
          urls: authUrls,
          perSecond: authRequestsPerSecond,
          seconds: minutes * 60,
          clients: 4,
          requestFor: authRequest,
        });
        await delay(1_000);
        samples = watch.samples();
      } finally {
        clearInterval(progress);
        watch.stop();
      }
    });
    const { lost, misses } = lossOf(trial);
    const settled = samples.map((of) => of.filter((sample) => sample.minutes >= settledAfterMinutes));
    const memory = settled.map((of) => round(growthPerHour(of, (sample) => sample.residentMegabytes)));
    const handles = settled.map((of) => round(growthPerHour(of, (sample) => sample.handles)));
    const answers = [...trial.requests, ...authAnswers];
    const failures = answers.filter((answer) => !isSuccess(answer));
    return {
      clientsSaw: describeOutcomes(answers),
      lost,
      healthyAfter: '–',
      figures: {
        minutes,
        requests: answers.length,
        ...Object.fromEntries(
          replicas.flatMap(({ service }, index) => [
            [`${service} megabytesPerHour`, memory[index] ?? Number.NaN],
            [`${service} handlesPerHour`, handles[index] ?? Number.NaN],
            [`${service} megabytesAtEnd`, round(settled[index]?.at(-1)?.residentMegabytes ?? Number.NaN)],
          ]),
        ),
        ...writeFigures(trial),
      },
      misses: [
        ...misses,
        ...missesOf(
          [failures.length > 0, `failed requests: ${describeOutcomes(failures)}`],
          [
            !(Math.max(...memory) <= goals.memoryMegabytesPerHour),
            `memory grows: ${memory.join(', ')} MB an hour`,
          ],
          [!(Math.max(...handles) <= goals.handlesPerHour), `handles grow: ${handles.join(', ')} an hour`],
          [cluster.unexpectedEnds() > 0, 'a replica ended'],
        ),
      ],
    };
  },
};

function describeLatest(samples: readonly (readonly GrowthSample[])[]): string {
  const latest = samples.map((of) => of.at(-1));
  const minute = Math.round(latest[0]?.minutes ?? 0);
  const sizes = latest.map(
    (sample) => `${Math.round(sample?.residentMegabytes ?? 0)} MB, ${sample?.handles} handles`,
  );
  return `minute ${minute}: ${sizes.join('; ')}`;
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
