import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { startCluster } from '../cluster.ts';
import { exchangeTokens } from '../exchange-tokens.ts';
import { describeOutcomes } from '../figures.ts';
import { type ClientAnswer, createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';

/** Beyond the 60 s after which resource-api reads the keys again, which alone depends on time. */
const awaySeconds = 75;
const perSecond = 40;

export const authServerAway: Scenario = {
  id: 'auth-server-away',
  fault: `both replicas of auth-server killed for ${awaySeconds} s; JWTs that live an hour`,
  goal: 'valid JWTs refused or failed 0',
  async run(report) {
    await using cluster = await startCluster({ environment: { ACCESS_TOKEN_TTL_SECONDS: '3600' } });
    const [authServer] = cluster.replicas['auth-server'];
    const accounts = await createLoadAccounts(cluster, { accounts: 1, requests: awaySeconds * perSecond });
    const secrets = accounts.flatMap(({ tokenSecrets }) => tokenSecrets);
    const tokens = await exchangeTokens(authServer?.url ?? '', secrets);
    for (const replica of cluster.replicas['auth-server']) await replica.end('SIGKILL');
    report('auth-server is unavailable');
    const path = `${apiRootPath}/tasks?limit=1`;
    const answers = await sendSteadily({
      urls: cluster.apiUrls,
      perSecond,
      seconds: awaySeconds,
      clients: 8,
      requestFor: (number) => ({ method: 'GET', path, token: tokens[number % tokens.length] }),
    });
    const failed = answers.filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: describeOutcomes(answers),
      misses: missesOf([failed.length > 0, `failed: ${describeOutcomes(failed)}`]),
    };
  },
};

const starts = 5;
const readyGoalMilliseconds = 2_000;

export const coldStart: Scenario = {
  id: 'auth-server-away-cold-start',
  fault: `resource-api killed and started ×${starts} while auth-server is unavailable`,
  goal: `ready ≤ ${readyGoalMilliseconds / 1_000} s, and its first request with a JWT has 200`,
  async run(report) {
    await using cluster = await startCluster({ replicas: 1 });
    const [authServer] = cluster.replicas['auth-server'];
    const [resourceApi] = cluster.replicas['resource-api'];
    if (authServer === undefined || resourceApi === undefined) throw new Error('a service is missing');
    const [account] = await createLoadAccounts(cluster, { accounts: 1, requests: 1 });
    const [token] = await exchangeTokens(authServer.url, account?.tokenSecrets.slice(0, 1) ?? []);
    await authServer.end('SIGKILL');
    let longest = 0;
    const answers: ClientAnswer[] = [];
    for (let turn = 0; turn < starts; turn += 1) {
      await resourceApi.end('SIGKILL');
      const began = performance.now();
      await resourceApi.start();
      const readyAfter = Math.round(performance.now() - began);
      longest = Math.max(longest, readyAfter);
      const client = createKeepAliveClient(resourceApi.url);
      answers.push(await client.send({ method: 'GET', path: `${apiRootPath}/me`, token }));
      client.close();
      report(`ready after ${readyAfter} ms`);
    }
    const failed = answers.filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: describeOutcomes(answers),
      healthyAfter: `${longest} ms`,
      misses: missesOf(
        [failed.length > 0, `the first request: ${describeOutcomes(failed)}`],
        [longest > readyGoalMilliseconds, `ready only after ${longest} ms`],
      ),
    };
  },
};
