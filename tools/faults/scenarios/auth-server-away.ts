import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { exchangeTokens } from '../access-tokens.ts';
import { startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { describeOutcomes, percentile } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';
import { sendSteadily } from '../steady-requests.ts';

/** Beyond the 60 s after which resource-api reads the keys again: the one thing it does that depends on time. */
const awaySeconds = 75;
const perSecond = 40;

export const authServerAway: Scenario = {
  id: 'auth-server-away',
  fault: `both replicas of auth-server killed for ${awaySeconds} s; JWTs that live an hour`,
  goal: 'valid JWTs refused or failed 0',
  async run(report) {
    await using cluster = await startCluster({ environment: { ACCESS_TOKEN_TTL_SECONDS: '3600' } });
    const [authUrl] = cluster.replicas['auth-server'].map(({ url }) => url);
    const accounts = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: 1, requests: awaySeconds * perSecond }),
    );
    const secrets = accounts.flatMap(({ tokenSecrets }) => tokenSecrets);
    const tokens = await exchangeTokens(authUrl ?? '', secrets);
    for (const replica of cluster.replicas['auth-server']) await replica.end('SIGKILL');
    report('auth-server is away');
    const answers = await sendSteadily({
      urls: cluster.apiUrls,
      perSecond,
      seconds: awaySeconds,
      clients: 8,
      requestFor: (number) => ({
        method: 'GET',
        path: `${apiRootPath}/tasks?limit=1`,
        token: tokens[number % tokens.length],
      }),
    });
    const failed = answers.filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: describeOutcomes(answers),
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        awaySeconds,
        requests: answers.length,
        failed: failed.length,
        p99Milliseconds: Math.round(
          percentile(
            answers.map(({ milliseconds }) => milliseconds),
            0.99,
          ),
        ),
      },
      misses: missesOf([failed.length > 0, `failed: ${describeOutcomes(failed)}`]),
    };
  },
};
