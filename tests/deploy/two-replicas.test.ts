import test from 'ava';
import { rotateSigningKeys } from '#auth-server/admin/key-admin.ts';
import { revokeToken } from '#auth-server/admin/token-admin.ts';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { testWithProgram } from '#tests/support/test-with-program.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type Cluster, startCluster } from '#tools/faults/cluster.ts';
import { exchangeTokens } from '#tools/faults/exchange-tokens.ts';
import { isHaproxyInstalled } from './gateway/run-gateway.ts';

/* Two replicas of each service behind the gateway of docker-compose.yml. */

const testCluster = testWithProgram('HAProxy', isHaproxyInstalled, test.serial);
let started: Promise<Cluster> | undefined;
test.after.always(async () => (await started)?.[Symbol.asyncDispose]());

function cluster(): Promise<Cluster> {
  const environment = { SHUTDOWN_DELAY_MILLISECONDS: '3000', DATABASE_WAIT_MILLISECONDS: '20000' };
  started ??= startCluster({ behindHaproxy: true, environment });
  return started;
}

async function createToken({ database }: Cluster) {
  return database.query(async (sql) => {
    const accounts = createTestAccounts(sql);
    return accounts.createToken(await accounts.createAccount());
  });
}

async function readIdentity({ baseUrl }: Cluster, token: string): Promise<Response> {
  const answer = await fetch(`${baseUrl}${apiRootPath}/me`, {
    headers: { Authorization: `Bearer ${token}` },
  });
  await answer.arrayBuffer();
  return answer;
}

/** Of requests that reach each of two replicas at least once. */
async function statusesOf(running: Cluster, token: string): Promise<number[]> {
  const statuses = new Set<number>();
  for (let count = 0; count < 4; count += 1) statuses.add((await readIdentity(running, token)).status);
  return [...statuses];
}

const keyIdOf = (token: string): string =>
  JSON.parse(Buffer.from(token.split('.')[0] ?? '', 'base64url').toString()).kid;

testCluster('two replicas count one limit', async (t) => {
  const running = await cluster();
  const { secret } = await createToken(running);
  const remaining: number[] = [];
  for (let count = 0; count < 120; count += 1)
    remaining.push(Number((await readIdentity(running, secret)).headers.get('RateLimit-Remaining')));
  t.deepEqual(
    remaining,
    Array.from({ length: 120 }, (_, count) => 119 - count),
  );
  t.deepEqual(await statusesOf(running, secret), [429]);
});

testCluster('a rotated key soon signs at both replicas, and no token is refused meanwhile', async (t) => {
  const running = await cluster();
  const { secret } = await createToken(running);
  const [old = ''] = await exchangeTokens(running.baseUrl, [secret]);
  await rotateSigningKeys(running.database.url, running.keyEncryptionSecret);
  let inARow = 0;
  const isRotated = async () => {
    const [token = ''] = await exchangeTokens(running.baseUrl, [secret]);
    t.is((await readIdentity(running, token)).status, 200);
    inARow = keyIdOf(token) === keyIdOf(old) ? 0 : inARow + 1;
    return inARow === 4;
  };
  await waitFor(isRotated, { timeoutMilliseconds: 15_000, intervalMilliseconds: 250, what: 'the new key' });
  t.deepEqual(await statusesOf(running, old), [200]);
});

testCluster(
  'a revoked token is refused by both replicas, and so is a JWT that was exchanged for it',
  async (t) => {
    const running = await cluster();
    const { secret, tokenId } = await createToken(running);
    const [exchanged = ''] = await exchangeTokens(running.baseUrl, [secret]);
    for (const token of [secret, exchanged]) t.deepEqual(await statusesOf(running, token), [200]);
    await revokeToken(running.database.url, tokenId);
    for (const token of [secret, exchanged]) t.deepEqual(await statusesOf(running, token), [401]);
  },
);

testCluster('the gateway shows nothing of the management ports', async (t) => {
  const { baseUrl } = await cluster();
  for (const path of ['/livez', '/readyz', '/metrics', '/api/public/v1/metrics', '/oauth/metrics']) {
    const answer = await fetch(baseUrl + path);
    t.is(answer.status, 404, path);
    t.notRegex(await answer.text(), /http_requests_total|"ready"/);
  }
});

testCluster('a replica of each service that is stopped loses no request', async (t) => {
  const { baseUrl, replicas } = await cluster();
  let isOver = false;
  const stopping = Object.values(replicas).map(([replica]) => replica?.end('SIGTERM'));
  const ends = Promise.all(stopping).finally(() => {
    isOver = true;
  });
  const respond = async () => {
    for (const path of [`${apiRootPath}/openapi.json`, '/oauth/jwks']) {
      const answer = await fetch(baseUrl + path);
      t.is(answer.status, 200);
      await answer.arrayBuffer();
    }
    return isOver;
  };
  await waitFor(respond, { timeoutMilliseconds: 60_000, what: 'the replicas to end' });
  t.deepEqual(
    (await ends).map((end) => end?.code),
    [0, 0],
  );
});
