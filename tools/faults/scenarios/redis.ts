import { setTimeout as delay } from 'node:timers/promises';
import { endApp } from '#auth-server/admin/app-admin.ts';
import { revokeToken } from '#auth-server/admin/token-admin.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, password } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { exchangeTokens } from '../exchange-tokens.ts';
import { describeOutcomes } from '../figures.ts';
import { type ClientAnswer, createKeepAliveClient } from '../keep-alive-client.ts';
import { judgeNoFailure, runUnderLoad, usualLoad } from '../load.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';

const longestMilliseconds = 1_000;

export const redisStopped: Scenario = {
  id: 'redis-stopped',
  fault: 'Redis stopped for 5 s and started again empty, ×2, under load',
  goal: `no request fails, or takes longer than ${longestMilliseconds} ms`,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const trial = await runUnderLoad(cluster, usualLoad, async () => {
      for (let turn = 0; turn < 2; turn += 1) {
        await cluster.redis.stop();
        report('Redis is unavailable');
        await delay(5_000);
        await cluster.redis.start();
        report('Redis has recovered');
        await delay(4_000);
      }
    });
    return judgeNoFailure(cluster, trial, longestMilliseconds);
  },
};

export const redisFrozen: Scenario = {
  id: 'redis-frozen',
  fault: 'Redis frozen for 8 s (SIGSTOP) under load',
  goal: `no request fails, or takes longer than ${longestMilliseconds} ms`,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const trial = await runUnderLoad(cluster, usualLoad, async () => {
      report('Redis is frozen');
      await cluster.redis.freeze(8_000);
      report('Redis goes on');
      await delay(4_000);
    });
    return judgeNoFailure(cluster, trial, longestMilliseconds);
  },
};

const rounds = 20;

export const redisEmptied: Scenario = {
  id: 'redis-emptied',
  fault: 'Redis stopped and started empty after tokens were revoked and an app was disconnected',
  goal: 'revoked tokens accepted 0; valid ones refused 0',
  async run(report) {
    await using cluster = await startCluster({});
    const [authServer] = cluster.replicas['auth-server'];
    const [revokedOwner, validOwner] = await createLoadAccounts(cluster, { accounts: 2, requests: 2_000 });
    if (revokedOwner === undefined || validOwner === undefined) throw new Error('there are no accounts');
    const personal = revokedOwner.tokenSecrets.slice(0, 5);
    const exchanged = await exchangeTokens(authServer?.url ?? '', personal);
    const app = await connectOneApp(cluster);
    const ended = [...personal, ...exchanged, app.tokens.access_token];
    const valid = validOwner.tokenSecrets.slice(0, 5);

    const accepted = await sendAll(cluster, ended);
    await revokeTokens(cluster, revokedOwner.accountId);
    await endApp(storesOf(cluster), app.grantId);
    const refused = await sendAll(cluster, ended);
    await cluster.redis.stop();
    refused.push(...(await sendAll(cluster, ended)));
    await cluster.redis.start();
    report('Redis has recovered, empty');
    for (let round = 0; round < rounds; round += 1) {
      refused.push(...(await sendAll(cluster, ended)));
      accepted.push(...(await sendAll(cluster, valid)));
    }
    const wronglyAccepted = refused.filter(({ outcome }) => outcome !== 401);
    const wronglyRefused = accepted.filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: `revoked: ${describeOutcomes(refused)}; valid: ${describeOutcomes(accepted)}`,
      lost: 'nothing: PostgreSQL is the one record of revocation',
      healthyAfter: '–',
      misses: missesOf(
        [wronglyAccepted.length > 0, `revoked tokens: ${describeOutcomes(wronglyAccepted)}`],
        [wronglyRefused.length > 0, `valid tokens: ${describeOutcomes(wronglyRefused)}`],
      ),
    };
  },
};

const storesOf = ({ database, redis }: Cluster) => ({ databaseUrl: database.url, redisUrl: redis.url });

/** One read with each token at each replica. */
async function sendAll(cluster: Cluster, tokens: readonly string[]): Promise<ClientAnswer[]> {
  const answers: ClientAnswer[] = [];
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

async function revokeTokens(cluster: Cluster, accountId: string): Promise<void> {
  const rows = await cluster.database.query(
    (sql) => sql<{ id: string }>`select id from auth.api_token where account_id = ${accountId}`,
  );
  for (const { id } of rows) await revokeToken(storesOf(cluster), id);
}
