import { setTimeout as delay } from 'node:timers/promises';
import { endApp } from '#auth-server/admin/app-admin.ts';
import { createOAuthEndpoints } from '#tests/oauth/oauth-endpoints.ts';
import { connectApp, password } from '#tests/oauth/oauth-flow.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { exchangeTokens } from '../exchange-tokens.ts';
import { describeOutcomes } from '../figures.ts';
import { judgeNoFailure, runUnderLoad, usualLoad } from '../load.ts';
import { createLoadAccounts, readWithEach, revokeTokens } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';

const longestMilliseconds = 1_000;

function redisFault(
  id: string,
  fault: string,
  inject: (redis: Cluster['redis'], report: (line: string) => void) => Promise<void>,
): Scenario {
  return {
    id,
    fault,
    goal: `no request fails, or takes longer than ${longestMilliseconds} ms`,
    async run(report) {
      await using cluster = await startCluster({ services: ['resource-api'] });
      const trial = await runUnderLoad(cluster, usualLoad, () => inject(cluster.redis, report));
      return judgeNoFailure(cluster, trial, longestMilliseconds);
    },
  };
}

export const redisStopped = redisFault(
  'redis-stopped',
  'Redis stopped for 5 s and started again empty, ×2, under load',
  async (redis, report) => {
    for (let turn = 0; turn < 2; turn += 1) {
      await redis.stop();
      report('Redis is unavailable');
      await delay(5_000);
      await redis.start();
      report('Redis has recovered');
      await delay(4_000);
    }
  },
);

export const redisFrozen = redisFault(
  'redis-frozen',
  'Redis frozen for 8 s (SIGSTOP) under load',
  async (redis, report) => {
    report('Redis is frozen');
    await redis.freeze(8_000);
    report('Redis goes on');
    await delay(4_000);
  },
);

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

    const accepted = await readWithEach(cluster, ended);
    await revokeTokens(cluster, revokedOwner.accountId);
    await endApp({ databaseUrl: cluster.database.url, redisUrl: cluster.redis.url }, app.grantId);
    const refused = await readWithEach(cluster, ended);
    await cluster.redis.stop();
    refused.push(...(await readWithEach(cluster, ended)));
    await cluster.redis.start();
    report('Redis has recovered, empty');
    for (let round = 0; round < rounds; round += 1) {
      refused.push(...(await readWithEach(cluster, ended)));
      accepted.push(...(await readWithEach(cluster, valid)));
    }
    const wronglyAccepted = refused.filter(({ outcome }) => outcome !== 401);
    const wronglyRefused = accepted.filter(({ outcome }) => outcome !== 200);
    return {
      clientsSaw: `revoked: ${describeOutcomes(refused)}; valid: ${describeOutcomes(accepted)}`,
      misses: missesOf(
        [wronglyAccepted.length > 0, `revoked tokens: ${describeOutcomes(wronglyAccepted)}`],
        [wronglyRefused.length > 0, `valid tokens: ${describeOutcomes(wronglyRefused)}`],
      ),
    };
  },
};

async function connectOneApp(cluster: Cluster) {
  const owner = await cluster.database.query((sql) => createTestAccounts(sql).createAccount({ password }));
  const browser = createPageBrowser(cluster.baseUrl);
  await browser.signIn({ email: owner.email, password });
  return connectApp({ endpoints: createOAuthEndpoints(cluster.baseUrl), browser });
}
