import { fork } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { describeOutcomes } from '../figures.ts';
import { type ClientAnswer, createKeepAliveClient } from '../keep-alive-client.ts';
import { judgeNoFailure, runUnderLoad, usualLoad } from '../load.ts';
import { createLoadAccounts, readWithEach, revokeTokens } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';

const perToken = 120;
const perAddress = 600;
const burners = 5;
const trials = 50;
const connections = 20;

export const limitsOnBusyMachine: Scenario = {
  id: 'limits-on-busy-machine',
  fault: `${burners} processes that take all the processor time, and the Redis written in JavaScript`,
  goal: `exactly ${perToken} requests of a token and ${perAddress} of an address succeed, ${trials} trials`,
  async run(report) {
    await using cluster = await startCluster({
      services: ['resource-api'],
      replicas: 1,
      redisKind: 'js',
      environment: { ADDRESS_LIMIT_EXEMPT: '' },
    });
    const accounts = await createLoadAccounts(cluster, { accounts: trials, requests: trials * 700 });
    using _burning = startBurners();
    const ofTokens: ClientAnswer[][] = [];
    const ofAddresses: ClientAnswer[][] = [];
    for (const [trial, { tokenSecrets }] of accounts.entries()) {
      const [first, ...others] = tokenSecrets;
      ofTokens.push(
        await sendAtOnce(cluster, perToken + 20, () => ({ token: first, address: `10.1.0.${trial}` })),
      );
      // Each of the other tokens stays below its own limit.
      ofAddresses.push(
        await sendAtOnce(cluster, perAddress + 20, (number) => ({
          token: others[number % others.length],
          address: `10.2.0.${trial}`,
        })),
      );
      if (trial % 10 === 9) report(`${trial + 1} trials`);
    }
    const wrong = (answers: ClientAnswer[][], limit: number) =>
      answers.filter((of) => of.filter(({ outcome }) => outcome === 200).length !== limit);
    const [wrongTokens, wrongAddresses] = [wrong(ofTokens, perToken), wrong(ofAddresses, perAddress)];
    return {
      clientsSaw:
        `tokens: ${describeOutcomes(ofTokens.flat())}; ` +
        `addresses: ${describeOutcomes(ofAddresses.flat())}`,
      misses: missesOf(
        [wrongTokens.length > 0, `tokens: ${wrongTokens.map(describeOutcomes).join('; ')}`],
        [wrongAddresses.length > 0, `addresses: ${wrongAddresses.map(describeOutcomes).join('; ')}`],
      ),
    };
  },
};

type Sender = { token: string | undefined; address: string };

async function sendAtOnce(
  { apiUrls }: Cluster,
  requests: number,
  senderOf: (number: number) => Sender,
): Promise<ClientAnswer[]> {
  const answers: ClientAnswer[] = [];
  let next = 0;
  const run = async (): Promise<void> => {
    const client = createKeepAliveClient(apiUrls[0] ?? '', 60_000);
    while (next < requests) {
      const { token, address } = senderOf(next++);
      const headers = { 'x-forwarded-for': address };
      answers.push(await client.send({ method: 'GET', path: `${apiRootPath}/me`, token, headers }));
    }
    client.close();
  };
  await Promise.all(Array.from({ length: connections }, run));
  return answers;
}

/** Processes that do nothing but count; they end with the disposal, or with this process. */
function startBurners(): Disposable {
  const script = path.join(process.env.TMPDIR ?? '', 'burn.mjs');
  writeFileSync(script, `process.on('disconnect', () => process.exit());\nsetImmediate(burn);\n${burn}\n`);
  const children = Array.from({ length: burners }, () => fork(script));
  return { [Symbol.dispose]: () => children.forEach((child) => void child.kill('SIGKILL')) };
}

const burn = `function burn() {
  for (const endsAt = performance.now() + 50; performance.now() < endsAt; );
  setImmediate(burn);
}`;

const awayMilliseconds = 60_000;
const longestMilliseconds = 1_000;
const greedyPerSecond = 5;

export const redisAwayForMinute: Scenario = {
  id: 'redis-away-for-minute',
  fault: 'Redis stopped for a minute under load, a client that asks too often, a token revoked meanwhile',
  goal:
    `no request fails or takes longer than ${longestMilliseconds} ms; ` +
    `no process lets in more than ${perToken} in a minute; ` +
    'the revoked token is refused at its next request',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const [greedy, revoked] = await createLoadAccounts(cluster, { accounts: 2, requests: 200 });
    const [greedyToken = '', revokedToken = ''] = [greedy?.tokenSecrets[0], revoked?.tokenSecrets[0]];
    const seconds = awayMilliseconds / 1_000 + 8;
    let asked: readonly ClientAnswer[] = [];
    let afterRevocation: ClientAnswer[] = [];
    const trial = await runUnderLoad(cluster, usualLoad, async () => {
      const asking = sendSteadily({
        urls: cluster.apiUrls.slice(0, 1),
        perSecond: greedyPerSecond,
        seconds,
        clients: 4,
        requestFor: () => ({ method: 'GET', path: `${apiRootPath}/me`, token: greedyToken }),
      });
      await readWithEach(cluster, [revokedToken]);
      await cluster.redis.stop();
      report('Redis is unavailable');
      await delay(awayMilliseconds / 2);
      await readWithEach(cluster, [revokedToken]);
      await revokeTokens(cluster, revoked?.accountId ?? '');
      afterRevocation = await readWithEach(cluster, [revokedToken]);
      report('a token is revoked');
      await delay(awayMilliseconds / 2);
      await cluster.redis.start();
      report('Redis has recovered, empty');
      asked = await asking;
      afterRevocation.push(...(await readWithEach(cluster, [revokedToken])));
    });
    // A minute less the longest time that a request took to arrive.
    const most = mostWithin(asked, 60_000 - longestMilliseconds);
    const letIn = afterRevocation.filter(({ outcome }) => outcome !== 401);
    const { clientsSaw, misses, ...outcome } = judgeNoFailure(cluster, trial, longestMilliseconds);
    return {
      ...outcome,
      clientsSaw:
        `${clientsSaw}; ` + `who asked too often: ${describeOutcomes(asked)}, at most ${most} in a minute`,
      misses: [
        ...misses,
        ...missesOf(
          [most > perToken, `${most} requests of one token in a minute`],
          [!asked.some(({ outcome: status }) => status === 429), 'the limit was not reached'],
          [letIn.length > 0, `after the revocation: ${describeOutcomes(letIn)}`],
        ),
      ],
    };
  },
};

/** The most requests let in within any such time; a request counts when it was sent. */
function mostWithin(answers: readonly ClientAnswer[], milliseconds: number): number {
  const accepted = answers.filter(({ outcome }) => outcome === 200).map(({ sentAt }) => sentAt);
  const countFrom = (from: number) => accepted.filter((at) => at >= from && at < from + milliseconds).length;
  return Math.max(0, ...accepted.map(countFrom));
}
