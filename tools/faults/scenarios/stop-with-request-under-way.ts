import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { holdAccountLocks } from '../hold-locks.ts';
import { missesOf } from '../judge.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { describeOutcomes } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';

const requests = 8;
const heldMilliseconds = 5_500;

export const stopWithRequestUnderWay: Scenario = {
  id: 'stop-with-request-under-way',
  fault: `SIGTERM while ${requests} writes of 5 s are under way`,
  goal: 'all answered with success, exit code 0',
  async run(report) {
    await using cluster = await startCluster({
      services: ['resource-api'],
      replicas: 1,
      environment: { DATABASE_WAIT_MILLISECONDS: '20000' },
    });
    const [replica] = cluster.replicas['resource-api'];
    if (replica === undefined) throw new Error('there is no replica');
    const accounts = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: requests, requests: 1 }),
    );
    const ids = accounts.map(({ accountId }) => accountId);
    const holding = holdAccountLocks(cluster.database, ids, heldMilliseconds);
    await delay(500);
    const clients = accounts.map((account) => ({ account, client: createKeepAliveClient(replica.url) }));
    const sending = clients.map(({ account, client }) =>
      client.send({
        method: 'POST',
        path: `${apiRootPath}/tasks`,
        token: account.nextToken(),
        body: { title: 'under way' },
      }),
    );
    await delay(500);
    const began = performance.now();
    const ending = replica.end('SIGTERM');
    report('SIGTERM');
    const answers = await Promise.all(sending);
    const { code } = await ending;
    const exitAfter = Math.round(performance.now() - began);
    await holding;
    for (const { client } of clients) client.close();
    const failed = answers.filter(({ outcome }) => outcome !== 201);
    const shortest = Math.round(Math.min(...answers.map(({ milliseconds }) => milliseconds)));
    const keptOpen = answers.filter(({ headers }) => headers.connection !== 'close').length;
    return {
      clientsSaw: `${describeOutcomes(answers)} after ${shortest} ms at least`,
      lost: failed.length === 0 ? 'nothing' : `${failed.length} answers`,
      healthyAfter: '–',
      figures: {
        answers: answers.length,
        exitAfterMilliseconds: exitAfter,
        exitCode: code ?? 'none',
        keptOpen,
      },
      misses: missesOf(
        [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
        [shortest < 4_000, `a write took ${shortest} ms only: nothing was under way for long`],
        [keptOpen > 0, `${keptOpen} answers without Connection: close`],
        [code !== 0, `exit code ${code}`],
      ),
    };
  },
};
