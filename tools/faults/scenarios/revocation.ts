import { setTimeout as delay } from 'node:timers/promises';
import { Redis } from 'ioredis';
import { operatorOrigin } from '#auth-server/audit/audit-trail.ts';
import { openAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { openSession, runRevocation, type Session } from '#auth-server/session.ts';
import { accountVersionKey } from '#shared/admission/account-version.ts';
import { createRevoker } from '#shared/admission/revoker.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { systemClock } from '#shared/time/clock.ts';
import { throughPort } from '#tests/support/behind-proxy.ts';
import { openFaultProxy } from '#tests/support/fault-proxy.ts';
import { createTestAccounts, type TestToken } from '#tests/support/test-accounts.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { missesOf, type Scenario } from '../scenario.ts';

const trialsPerCase = 1_000;
const trialsAtOnce = 250;

type World = { cluster: Cluster; redis: Redis; session: Session; mute: Session; cutOff: Session };

/** `fault` lasts from before the revocations until the requests after them are answered. */
type Case = {
  revoker?: 'session' | 'mute' | 'cutOff';
  commitSeconds?: number;
  /** Returns actions to run between the revocations and the requests, and at the end. */
  fault?(world: World, tokens: readonly TestToken[]): Promise<{ after?(): unknown; end?(): unknown }>;
};

const cases: Record<string, Case> = {
  'Redis up': {},
  'emptied every 15 ms': {
    async fault({ redis }) {
      const timer = setInterval(() => void redis.flushall(), 15);
      return { end: () => clearInterval(timer) };
    },
  },
  'slow commits': { commitSeconds: 0.2 },
  'revoker cut off': { revoker: 'cutOff' },
  'reply of DEL lost': { revoker: 'mute' },
  'API cut off': {
    async fault({ cluster }) {
      cluster.proxy().setMode('refuse');
      return { end: () => cluster.proxy().setMode('pass') };
    },
  },
  'Redis frozen': {
    async fault({ cluster }) {
      const frozen = cluster.redis.freeze(4_000);
      return { end: () => frozen };
    },
  },
  'versions of a snapshot restored': {
    async fault({ cluster, redis }, tokens) {
      const keys = tokens.map(({ accountId }) => accountVersionKey(accountId));
      const versions = await redis.mget(keys);
      const restored = keys.flatMap((key, index) => [key, versions[index] ?? 'none']);
      return {
        async after() {
          cluster.proxy().setMode('cut');
          await redis.mset(restored);
        },
      };
    },
  },
  'a replica stopped meanwhile': {
    async fault({ cluster }) {
      const [replica] = cluster.replicas['resource-api'];
      const pid = replica?.pid() ?? 0;
      process.kill(pid, 'SIGSTOP');
      return { after: () => void setTimeout(() => process.kill(pid, 'SIGCONT'), 500) };
    },
  },
};

export const revocation: Scenario = {
  id: 'revocation',
  fault: `tokens revoked with ${Object.keys(cases).join(', ')}; two replicas, ${trialsPerCase} tokens each`,
  goal: 'requests accepted after the answer to the revocation: 0',
  limitMinutes: 30,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'], proxied: 'redis' });
    await using parts = new AsyncDisposableStack();
    const world = await openWorld(cluster, parts);
    const accepted: string[] = [];
    let trials = 0;
    for (const [name, one] of Object.entries(cases)) {
      let [wrong, remembered] = [0, 0];
      for (let done = 0; done < trialsPerCase; done += trialsAtOnce) {
        const result = await runTrials(world, one);
        wrong += result.wrong;
        remembered += result.remembered;
      }
      trials += trialsPerCase;
      report(`${name}: ${wrong} accepted of ${trialsPerCase} trials, ${remembered} tokens in use before`);
      if (wrong > 0) accepted.push(`${name}: ${wrong}`);
    }
    const control = await runControl(world);
    report(`control, without DEL and wait: ${control} accepted of ${2 * trialsAtOnce} requests`);
    return {
      clientsSaw:
        `${accepted.length === 0 ? 0 : accepted.join(', ')} accepted in ${trials} trials; ` +
        `control ${control} of ${2 * trialsAtOnce}`,
      misses: missesOf(
        [accepted.length > 0, `accepted after the answer: ${accepted.join(', ')}`],
        [control === 0, 'the control accepted nothing: the trial shows nothing'],
      ),
    };
  },
};

async function openWorld(cluster: Cluster, parts: AsyncDisposableStack): Promise<World> {
  const { orm } = openAuthDatabase({
    url: cluster.database.url,
    poolSize: 20,
    applicationName: 'revoker',
    waitMilliseconds: 60_000,
  });
  parts.defer(() => orm.close(true));
  const redis = new Redis(cluster.redis.url);
  redis.on('error', () => undefined);
  parts.defer(() => redis.disconnect());
  const proxy = await openFaultProxy({ port: cluster.redis.port });
  parts.defer(proxy.close);
  const sessionOn = (connection: Redis | undefined): Session => {
    if (connection !== undefined) parts.defer(() => connection.disconnect());
    const revoker = createRevoker({ redis: connection, waitsAlways: false });
    return openSession({ em: orm.em, clock: systemClock, revoker }, operatorOrigin);
  };
  const heard = connectRedis(throughPort(cluster.redis.url, proxy.port));
  await waitFor(() => heard.status === 'ready');
  proxy.setMode('dropReplies');
  return {
    cluster,
    redis,
    session: sessionOn(connectRedis(cluster.redis.url)),
    mute: sessionOn(heard),
    cutOff: sessionOn(undefined),
  };
}

/** `wrong`: accepted after their token was revoked. `remembered`: tokens that were accepted before. */
async function runTrials(world: World, { revoker = 'session', commitSeconds = 0, fault }: Case) {
  const tokens = await makeTokens(world);
  for (let turn = 0; turn < 2; turn += 1) await countAccepted(world, tokens);
  const remembered = (await countAccepted(world, tokens)) / world.cluster.apiUrls.length;
  const { after, end } = (await fault?.(world, tokens)) ?? {};
  await Promise.all(tokens.map((token) => revoke(world[revoker], token, commitSeconds)));
  await after?.();
  const wrong = await countAccepted(world, tokens);
  await end?.();
  return { wrong, remembered };
}

/** One token after the other, so that requests follow their revocation sooner than the next poll. */
async function runControl(world: World): Promise<number> {
  const tokens = await makeTokens(world);
  let accepted = 0;
  for (const token of tokens) {
    for (let turn = 0; turn < 2; turn += 1) await countAccepted(world, [token]);
    await world.cluster.database.query(
      (sql) => sql`update auth.api_token set revoked_at = now() where id = ${token.tokenId}`,
    );
    accepted += await countAccepted(world, [token]);
  }
  return accepted;
}

async function makeTokens({ cluster }: World): Promise<TestToken[]> {
  return cluster.database.query(async (sql) => {
    const accounts = createTestAccounts(sql);
    const make = async () => accounts.createToken(await accounts.createAccount());
    return Promise.all(Array.from({ length: trialsAtOnce }, make));
  });
}

async function revoke(session: Session, { tokenId, accountId }: TestToken, commitSeconds: number) {
  const own = { ...session, em: session.em.fork() };
  await runRevocation(own, async ({ em }, affects) => {
    affects(accountId);
    await em.execute('update auth.api_token set revoked_at = now() where id = ?', [tokenId]);
    if (commitSeconds > 0) await em.execute('select pg_sleep(?)', [commitSeconds]);
  });
}

/** One read with each token at each replica. */
async function countAccepted({ cluster }: World, tokens: readonly TestToken[]): Promise<number> {
  const read = async (url: string, { secret }: TestToken): Promise<number> => {
    const headers = { Authorization: `Bearer ${secret}` };
    const { status, body } = await fetch(`${url}${apiRootPath}/me`, { headers });
    await body?.cancel();
    return status;
  };
  const requests = cluster.apiUrls.flatMap((url) => tokens.map((token) => read(url, token)));
  const statuses = await Promise.all(requests);
  await delay(0);
  return statuses.filter((status) => status === 200).length;
}
