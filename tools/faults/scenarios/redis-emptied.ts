import { endApp } from '#auth-server/admin/app-admin.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, password } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { exchangeTokens } from '../access-tokens.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { describeOutcomes } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';

const rounds = 20;

export const redisEmptied: Scenario = {
  id: 'redis-emptied',
  fault: 'Redis stopped and started empty after tokens were revoked and an app was disconnected',
  goal: 'revoked tokens accepted 0; valid ones refused 0',
  async run(report) {
    await using cluster = await startCluster({});
    const [authUrl] = cluster.replicas['auth-server'].map(({ url }) => url);
    if (authUrl === undefined) throw new Error('there is no auth-server');
    const [revokedOwner, validOwner] = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: 2, requests: 2_000 }),
    );
    if (revokedOwner === undefined || validOwner === undefined) throw new Error('there are no accounts');
    const personal = revokedOwner.tokenSecrets.slice(0, 5);
    const exchanged = await exchangeTokens(authUrl, personal);
    const app = await connectOneApp(cluster);
    const ended = [...personal, ...exchanged, app.tokens.access_token];
    const valid = validOwner.tokenSecrets.slice(0, 5);

    const before = await sendAll(cluster, ended);
    await revokePersonalTokens(cluster, revokedOwner.accountId);
    await endApp(cluster.database.url, app.grantId);
    const between = await sendAll(cluster, ended);
    await cluster.redis.stop();
    const away = await sendAll(cluster, ended);
    await cluster.redis.start();
    report('Redis is back, empty');
    const refused: Answer[] = [...between, ...away];
    const accepted: Answer[] = [];
    for (let round = 0; round < rounds; round += 1) {
      refused.push(...(await sendAll(cluster, ended)));
      accepted.push(...(await sendAll(cluster, valid)));
    }
    const wronglyAccepted = refused.filter(({ outcome }) => outcome !== 401);
    const wronglyRefused = [...before, ...accepted].filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: `revoked: ${describeOutcomes(refused)}; valid: ${describeOutcomes(accepted)}`,
      lost: 'nothing: PostgreSQL is the one record of revocation',
      healthyAfter: '–',
      figures: {
        endedTokens: ended.length,
        requestsWithEndedTokens: refused.length,
        acceptedEnded: wronglyAccepted.length,
        refusedValid: wronglyRefused.length,
      },
      misses: missesOf(
        [wronglyAccepted.length > 0, `revoked tokens: ${describeOutcomes(wronglyAccepted)}`],
        [wronglyRefused.length > 0, `valid tokens: ${describeOutcomes(wronglyRefused)}`],
      ),
    };
  },
};

type Answer = { outcome: number | string };

/** One read with each token at each replica. */
async function sendAll(cluster: Cluster, tokens: readonly string[]): Promise<Answer[]> {
  const answers: Answer[] = [];
  for (const url of cluster.apiUrls) {
    const client = createKeepAliveClient(url);
    for (const token of tokens) {
      answers.push(await client.send({ method: 'GET', path: `${apiRootPath}/tasks?limit=1`, token }));
    }
    client.close();
  }
  return answers;
}

async function connectOneApp(cluster: Cluster) {
  const owner = await cluster.database.query((sql) => createTestAccounts(sql).createAccount({ password }));
  const browser = createPageBrowser(cluster.baseUrl);
  await browser.signIn({ email: owner.email, password });
  return connectApp({ endpoints: createOAuthEndpoints(cluster.baseUrl), browser });
}

/** As Settings does it: the record says so, and nobody is told. */
async function revokePersonalTokens(cluster: Cluster, accountId: string): Promise<void> {
  await cluster.database.query(
    (sql) => sql`update auth.api_token set revoked_at = now() where account_id = ${accountId}`,
  );
}
