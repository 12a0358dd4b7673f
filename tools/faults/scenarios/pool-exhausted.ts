import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { percentile } from '../../statistics.ts';
import { startCluster } from '../cluster.ts';
import { describeOutcomes, isSuccess, longestOf, millisecondsUntilHealthy } from '../figures.ts';
import type { ClientRequest } from '../keep-alive-client.ts';
import { createLoadAccounts, type LoadAccount } from '../load-accounts.ts';
import type { Replica } from '../replica.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';
import { holdAccountLocks } from '../stores.ts';

const heldMilliseconds = 8_000;
const lockedAccounts = 50;
const traffic = { perSecond: 60, seconds: 17, clients: 300 };
const goals = { longestMilliseconds: 3_000, livenessMilliseconds: 50, healthyMilliseconds: 1_000 };

export const poolExhausted: Scenario = {
  id: 'pool-exhausted',
  fault:
    `every connection of a replica busy for ${heldMilliseconds / 1_000} s with statements that wait ` +
    `(${lockedAccounts} writers, 10 connections)`,
  goal:
    'nothing but success and 503, no answer later than 3 s, liveness p99 < 50 ms (or what it was before), ' +
    'no restart, success again ≤ 1 s after it',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'], replicas: 1 });
    const { database, apiUrls, replicas } = cluster;
    const locked = await createLoadAccounts(cluster, { accounts: lockedAccounts, requests: 50 * 100 });
    const free = await createLoadAccounts(cluster, {
      accounts: 1,
      requests: traffic.perSecond * traffic.seconds,
    });
    const requestFor = mixedRequests(locked, free);
    const sending = sendSteadily({ urls: apiUrls, ...traffic, requestFor });
    await delay(2_000);
    const calm = watchLiveness(replicas['resource-api'][0]);
    await delay(3_000);
    const before = livenessP99((await calm.stop()).milliseconds);
    const ids = locked.map(({ accountId }) => accountId);
    const liveness = watchLiveness(replicas['resource-api'][0]);
    report('connections are taken');
    await holdAccountLocks(database, ids, heldMilliseconds);
    const freeAt = performance.now();
    report('connections are free');
    const answers = await sending;
    const probes = await liveness.stop();
    const healthy = millisecondsUntilHealthy(answers, freeAt);
    const longest = longestOf(answers);
    const reads = answers.filter(({ number }) => !isWrite(number));
    const writes = answers.filter(({ number }) => isWrite(number));
    const strange = answers.filter((answer) => !isSuccess(answer) && answer.outcome !== 503);
    const during = livenessP99(probes.milliseconds);
    return {
      clientsSaw:
        `reads ${describeOutcomes(reads)}; writes ${describeOutcomes(writes)}; ` +
        `longest wait ${longest} ms`,
      healthyAfter: `${healthy} ms`,
      misses: missesOf(
        [strange.length > 0, `answers that are neither success nor 503: ${describeOutcomes(strange)}`],
        [!answers.some(({ outcome }) => outcome === 503), 'the pool was not exhausted'],
        [longest > goals.longestMilliseconds, `an answer came after ${longest} ms`],
        [healthy > goals.healthyMilliseconds, `healthy only after ${healthy} ms`],
        [probes.failures > 0, `liveness failed ${probes.failures} times`],
        [
          during >= Math.max(goals.livenessMilliseconds, before),
          `liveness p99 ${during} ms, before ${before} ms`,
        ],
        [cluster.unexpectedEnds() > 0, 'the replica ended'],
      ),
    };
  },
};

const isWrite = (number: number): boolean => number % 2 === 0;

/** Half are writes of accounts whose lock will be held, half reads of another account. */
function mixedRequests(
  locked: readonly LoadAccount[],
  free: readonly LoadAccount[],
): (number: number) => ClientRequest {
  return (number) => {
    const accounts = isWrite(number) ? locked : free;
    const account = accounts[Math.floor(number / 2) % accounts.length];
    const token = account?.nextToken();
    return isWrite(number)
      ? { method: 'POST', path: `${apiRootPath}/tasks`, token, body: { title: `write ${number}` } }
      : { method: 'GET', path: `${apiRootPath}/tasks?limit=5`, token };
  };
}

const livenessP99 = (milliseconds: readonly number[]) => Math.round(percentile(milliseconds, 0.99) * 10) / 10;

function watchLiveness(replica: Replica | undefined) {
  if (replica === undefined) throw new Error('there is no replica to watch');
  const milliseconds: number[] = [];
  let failures = 0;
  let isOver = false;
  const watching = (async () => {
    while (!isOver) {
      const began = performance.now();
      if ((await replica.probe('/livez')) !== 200) failures += 1;
      milliseconds.push(performance.now() - began);
      await delay(25);
    }
  })();
  return {
    async stop() {
      isOver = true;
      await watching;
      return { milliseconds, failures };
    },
  };
}
