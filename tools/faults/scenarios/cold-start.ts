import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { exchangeTokens } from '../access-tokens.ts';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { type ClientAnswer, createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { describeOutcomes } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';

const starts = 5;
const readyGoalMilliseconds = 2_000;

export const coldStart: Scenario = {
  id: 'auth-server-away-cold-start',
  fault: `resource-api killed and started ×${starts} while auth-server is away`,
  goal: `ready ≤ ${readyGoalMilliseconds / 1_000} s, and its first request with a JWT answered 200`,
  async run(report) {
    await using cluster = await startCluster({ replicas: 1 });
    const [authServer] = cluster.replicas['auth-server'];
    const [resourceApi] = cluster.replicas['resource-api'];
    if (authServer === undefined || resourceApi === undefined) throw new Error('a service is missing');
    const [account] = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: 1, requests: 1 }),
    );
    const [token] = await exchangeTokens(authServer.url, account?.tokenSecrets.slice(0, 1) ?? []);
    await authServer.end('SIGKILL');
    const readyAfter: number[] = [];
    const answers: ClientAnswer[] = [];
    for (let turn = 0; turn < starts; turn += 1) {
      await resourceApi.end('SIGKILL');
      const began = performance.now();
      await resourceApi.start();
      readyAfter.push(Math.round(performance.now() - began));
      const client = createKeepAliveClient(resourceApi.url);
      answers.push(await client.send({ method: 'GET', path: `${apiRootPath}/me`, token }));
      client.close();
      report(`ready after ${readyAfter.at(-1)} ms`);
    }
    const longest = Math.max(...readyAfter);
    const failed = answers.filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: describeOutcomes(answers),
      lost: 'nothing',
      healthyAfter: `${longest} ms`,
      figures: { readyAfterMilliseconds: readyAfter.join(', '), failed: failed.length },
      misses: missesOf(
        [failed.length > 0, `the first request: ${describeOutcomes(failed)}`],
        [longest > readyGoalMilliseconds, `ready only after ${longest} ms`],
      ),
    };
  },
};
