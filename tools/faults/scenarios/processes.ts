import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { describeOutcomes, isSuccess, longestOf, type RequestRecord, recordOf } from '../figures.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { judgeNoFailure, runUnderLoad } from '../load.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { holdAccountLocks } from '../stores.ts';

/** Until the gateway knows of a replica that has become ready (after one check) or unready (after two). */
const healthNoticeMilliseconds = 2_000;

const kills = 50;
const killMilliseconds = 240_000;

export const killResourceApi: Scenario = {
  id: 'kill-resource-api',
  fault: `kill -9 of a resource-api replica ×${kills} under 16 writers`,
  goal: 'acknowledged writes lost 0, half-written 0, gaps 0, done twice with a key 0; 0 × 500',
  async run(report) {
    await using cluster = await startCluster({ behindHaproxy: true, services: ['resource-api'] });
    let killed = 0;
    const load = { writers: 16, readers: 2, pauseMilliseconds: 60 };
    const trial = await runUnderLoad(cluster, load, async (requests) => {
      const end = performance.now() + killMilliseconds;
      for (; killed < kills && performance.now() < end; killed += 1) {
        const replica = cluster.replicas['resource-api'][killed % 2];
        await replica?.end('SIGKILL');
        await replica?.start();
        await delay(healthNoticeMilliseconds);
        if (killed % 10 === 9) report(`${killed + 1} kills, ${requests.length} requests`);
      }
    });
    // A connection may be cut, or the gateway respond for a replica that died with the request.
    const strange = trial.requests.filter(
      (request) => typeof request.outcome === 'number' && !isSuccess(request) && request.outcome !== 503,
    );
    return {
      clientsSaw: describeOutcomes(trial.requests),
      lost: trial.lost,
      healthyAfter: 'at once: the other replica responds',
      misses: [
        ...trial.misses,
        ...missesOf(
          [strange.length > 0, `no kill explains ${describeOutcomes(strange)}`],
          [killed < kills, `only ${killed} of ${kills} kills in the time given`],
        ),
      ],
    };
  },
};

const restarts = 5;
const requestGoal = 20_000;
const drain = { delayMilliseconds: 3_000, graceMilliseconds: 10_000 };
/** Time limit for a replica to end, including the delay. */
const exitGoalMilliseconds = drain.delayMilliseconds + drain.graceMilliseconds - 5_000;

export const rollingRestart: Scenario = {
  id: 'rolling-restart',
  fault:
    `rolling restart ×${restarts} of both services, two replicas each, ` +
    'behind the gateway, keep-alive clients',
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
    const load = { writers: 6, readers: 10, pauseMilliseconds: 50 };
    const trial = await runUnderLoad(cluster, load, async (requests) => {
      const end = performance.now() + 300_000;
      for (let round = 0; round < restarts; round += 1) {
        for (const replica of Object.values(cluster.replicas).flat()) {
          const began = performance.now();
          const { code } = await replica.end('SIGTERM');
          exits.push({ code, milliseconds: Math.round(performance.now() - began) });
          await replica.start();
          await delay(healthNoticeMilliseconds);
        }
        report(`round ${round + 1}: ${requests.length} requests`);
      }
      while (requests.length < requestGoal && performance.now() < end) await delay(200);
    });
    const requests = [...trial.requests, ...(await metadata.stop())];
    const outcome = judgeNoFailure(cluster, { ...trial, requests }, 15_000);
    const badExits = exits.filter(({ code }) => code !== 0).length;
    const slowestExit = longestOf(exits);
    const misses = missesOf(
      [requests.length < requestGoal, `only ${requests.length} requests`],
      [badExits > 0, `${badExits} of ${exits.length} replicas ended with another code than 0`],
      [slowestExit > exitGoalMilliseconds, `a replica took ${slowestExit} ms to end`],
    );
    return { ...outcome, misses: [...outcome.misses, ...misses] };
  },
};

/** A client of auth-server beside those of the API. */
function watchMetadata(baseUrl: string) {
  const client = createKeepAliveClient(baseUrl);
  const answers: RequestRecord[] = [];
  let isOver = false;
  const watching = (async () => {
    for (; !isOver; await delay(25)) {
      const path = '/.well-known/oauth-authorization-server';
      answers.push(recordOf('read', await client.send({ method: 'GET', path })));
    }
    client.close();
  })();
  const stop = async () => {
    isOver = true;
    await watching;
    return answers;
  };
  return { stop };
}

const requestsUnderWay = 8;
const heldMilliseconds = 5_500;

export const stopWithRequestUnderWay: Scenario = {
  id: 'stop-with-request-under-way',
  fault: `SIGTERM while ${requestsUnderWay} writes of 5 s are under way`,
  goal: 'all succeed, exit code 0',
  async run(report) {
    await using cluster = await startCluster({
      services: ['resource-api'],
      replicas: 1,
      environment: { DATABASE_WAIT_MILLISECONDS: '20000' },
    });
    const [replica] = cluster.replicas['resource-api'];
    if (replica === undefined) throw new Error('there is no replica');
    const accounts = await createLoadAccounts(cluster, { accounts: requestsUnderWay, requests: 1 });
    const ids = accounts.map(({ accountId }) => accountId);
    const holding = holdAccountLocks(cluster.database, ids, heldMilliseconds);
    await delay(500);
    const clients = accounts.map((account) => ({ account, client: createKeepAliveClient(replica.url) }));
    const request = { method: 'POST', path: `${apiRootPath}/tasks`, body: { title: 'under way' } };
    const sending = clients.map(({ account, client }) =>
      client.send({ ...request, token: account.nextToken() }),
    );
    await delay(500);
    const ending = replica.end('SIGTERM');
    report('SIGTERM');
    const answers = await Promise.all(sending);
    const { code } = await ending;
    await holding;
    for (const { client } of clients) client.close();
    const failed = answers.filter(({ outcome }) => outcome !== 201);
    const shortest = Math.round(Math.min(...answers.map(({ milliseconds }) => milliseconds)));
    const keptOpen = answers.filter(({ headers }) => headers.connection !== 'close').length;
    return {
      clientsSaw: `${describeOutcomes(answers)} after ${shortest} ms at least`,
      lost: failed.length === 0 ? 'nothing' : `${failed.length} responses`,
      misses: missesOf(
        [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
        [shortest < 4_000, `a write took ${shortest} ms only: nothing was under way for long`],
        [keptOpen > 0, `${keptOpen} responses without Connection: close`],
        [code !== 0, `exit code ${code}`],
      ),
    };
  },
};
