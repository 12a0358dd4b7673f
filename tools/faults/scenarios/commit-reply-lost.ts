import { randomUUID } from 'node:crypto';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { describeOutcomes, isSuccess, longestOf } from '../figures.ts';
import { type ClientAnswer, createKeepAliveClient, type KeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts, type LoadAccount } from '../load-accounts.ts';
import { missesOf, type Scenario } from '../scenario.ts';

const rounds = 20;
/** The connection is closed, or stays open without replies. */
const faults = ['cut', 'dropReplies'] as const;

/** `token`: one per round, because an idempotency key belongs to a token and a token has a rate limit. */
type Trial = { cluster: Cluster; client: KeepAliveClient; account: LoadAccount; token: string | undefined };

export const commitReplyLost: Scenario = {
  id: 'commit-reply-lost',
  fault: `connection to PostgreSQL lost between COMMIT and its reply, ×${2 * rounds}`,
  goal:
    'never success for an unknown outcome but 503; ' +
    'sent again with its Idempotency-Key: the first answer, done once',
  async run(report) {
    await using cluster = await startCluster({
      services: ['resource-api'],
      replicas: 1,
      proxied: 'database',
    });
    const [account] = await createLoadAccounts(cluster, { accounts: 1, requests: 4_000 });
    const [url] = cluster.apiUrls;
    if (account === undefined || url === undefined) throw new Error('there is nobody to write');
    const client = createKeepAliveClient(url);
    const lost: ClientAnswer[] = [];
    const rows = { withoutKey: [] as number[], withKey: [] as number[] };
    const repeats: ClientAnswer[] = [];
    try {
      for (let round = 0; round < rounds; round += 1) {
        const trial = { cluster, client, account, token: account.tokenSecrets.at(-1 - round) };
        const fault = faults[round % faults.length] ?? 'cut';
        lost.push(await createWithFault(trial, `unkeyed ${round}`, fault, {}));
        rows.withoutKey.push(await rowsNamed(trial, `unkeyed ${round}`));
        const headers = { 'idempotency-key': randomUUID() };
        lost.push(await createWithFault(trial, `keyed ${round}`, fault, headers));
        repeats.push(await createUntilAnswered(trial, `keyed ${round}`, headers));
        rows.withKey.push(await rowsNamed(trial, `keyed ${round}`));
        if (round % 5 === 4) report(`${round + 1} rounds`);
      }
    } finally {
      client.close();
    }
    const not503 = lost.filter(({ outcome }) => outcome !== 503);
    const once = rows.withKey.filter((count) => count === 1).length;
    const twice = [...rows.withKey, ...rows.withoutKey].filter((count) => count > 1).length;
    const longest = longestOf(lost);
    return {
      clientsSaw:
        `${describeOutcomes(lost)}; sent again with the key: ${describeOutcomes(repeats)}; ` +
        `longest wait ${longest} ms`,
      lost:
        once === rounds && twice === 0 ? 'nothing' : `${rounds - once} not once with a key, ${twice} double`,
      healthyAfter: 'the next request',
      misses: missesOf(
        [not503.length > 0, `answers other than 503: ${describeOutcomes(not503)}`],
        [repeats.some((answer) => !isSuccess(answer)), `sent again: ${describeOutcomes(repeats)}`],
        [once < rounds, `${rounds - once} writes with a key are not stored exactly once`],
        [twice > 0, `${twice} writes are stored twice`],
        [longest > 3_000, `an answer came after ${longest} ms`],
      ),
    };
  },
};

/** Breaks the connection right after the COMMIT was sent. */
async function createWithFault(
  trial: Trial,
  title: string,
  fault: (typeof faults)[number],
  headers: Record<string, string>,
): Promise<ClientAnswer> {
  const proxy = trial.cluster.proxy();
  const stopListening = proxy.onClientData((bytes) => {
    if (!/\bcommit\b/i.test(bytes.toString('latin1'))) return;
    stopListening();
    proxy.setMode(fault);
  });
  const answer = await create(trial, title, headers);
  stopListening();
  // Connections that have lost a reply would never respond.
  proxy.setMode('cut');
  await untilAnswering(trial);
  return answer;
}

function create(
  { client, token }: Trial,
  title: string,
  headers: Record<string, string>,
): Promise<ClientAnswer> {
  const path = `${apiRootPath}/tasks`;
  return client.send({ method: 'POST', path, token, body: { title }, headers });
}

async function createUntilAnswered(trial: Trial, title: string, headers: Record<string, string>) {
  return waitFor(
    async () => {
      const answer = await create(trial, title, headers);
      return answer.outcome === 503 ? undefined : answer;
    },
    { timeoutMilliseconds: 20_000, intervalMilliseconds: 100, what: 'the write to be answered' },
  );
}

/** Waits until the service responds again; the time is not measured here. */
async function untilAnswering({ client, account }: Trial): Promise<void> {
  await waitFor(
    async () =>
      isSuccess(await client.send({ method: 'GET', path: `${apiRootPath}/me`, token: account.nextToken() })),
    { timeoutMilliseconds: 20_000, intervalMilliseconds: 50, what: 'reads to be answered again' },
  );
}

async function rowsNamed({ cluster, account }: Trial, title: string): Promise<number> {
  const [row] = await cluster.database.query(
    (sql) => sql<{ count: number }>`
      select count(*)::int as count from tasks.task
      where account_id = ${account.accountId} and title = ${title}`,
  );
  return row?.count ?? 0;
}
