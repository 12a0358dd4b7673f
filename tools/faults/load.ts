import { setTimeout as delay } from 'node:timers/promises';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import {
  checkAcknowledged,
  describeFindings,
  findingMisses,
  readStoredAccounts,
} from './check-acknowledged.ts';
import type { Cluster } from './cluster.ts';
import {
  describeOutcomes,
  isSuccess,
  longestOf,
  type RequestRecord,
  recordOf,
  unexpectedOutcomes,
} from './figures.ts';
import { createKeepAliveClient } from './keep-alive-client.ts';
import { createLoadAccounts } from './load-accounts.ts';
import { missesOf, type Outcome } from './scenario.ts';
import { runWriter, type Send } from './task-writer.ts';
import type { WriteRecord } from './write-history.ts';

type LoadShape = { writers: number; readers: number; pauseMilliseconds: number };

type Trial = {
  /** In the order of their responses. */
  requests: readonly RequestRecord[];
  /** «nothing», or a description of the acknowledged writes that are not stored. */
  lost: string;
  /** A sentence for each kind of loss. */
  misses: string[];
};

export const usualLoad: LoadShape = { writers: 8, readers: 8, pauseMilliseconds: 60 };

const accountCount = 4;
const warmUpRequests = 200;
/** The tokens allow a few times what a scenario sends. */
const mostRequests = 200_000;
const readPaths = ['/tasks?limit=20', '/me', '/tasks?view=inbox&limit=10', '/projects'];

/** Runs `work` while clients write and read, then compares what was acknowledged with what is stored. */
export async function runUnderLoad(
  cluster: Cluster,
  shape: LoadShape,
  work: (requests: readonly RequestRecord[]) => Promise<void>,
): Promise<Trial> {
  const accounts = await createLoadAccounts(cluster, { accounts: accountCount, requests: mostRequests });
  const requests: RequestRecord[] = [];
  const writes: WriteRecord[] = [];
  let isOver = false;
  const runClient = async (index: number, isWriter: boolean): Promise<void> => {
    const account = accounts[index % accounts.length];
    const client = createKeepAliveClient(cluster.apiUrls[index % cluster.apiUrls.length] ?? '');
    if (account === undefined) throw new Error('there are no accounts');
    const nextToken = account.openTokens();
    const send: Send = async (request) => {
      await delay(shape.pauseMilliseconds * (0.5 + Math.random()));
      if (isOver) return undefined;
      const token = request.token ?? nextToken();
      const answer = await client.send({ ...request, token, path: apiRootPath + request.path });
      requests.push(recordOf(isWriter ? 'write' : 'read', answer));
      return answer;
    };
    const record = (write: WriteRecord) => void writes.push(write);
    if (isWriter)
      await runWriter({ send, nextToken, accountId: account.accountId, name: `writer ${index}`, record });
    else for (let turn = 0; await send({ method: 'GET', path: readPaths[turn % 4] ?? '' }); ) turn += 1;
    client.close();
  };
  const clients = [
    ...Array.from({ length: shape.writers }, (_, index) => runClient(index, true)),
    ...Array.from({ length: shape.readers }, (_, index) => runClient(index, false)),
  ];
  try {
    await waitFor(() => requests.filter(isSuccess).length >= warmUpRequests, {
      timeoutMilliseconds: 30_000,
      what: 'the load to come up',
    });
    await work(requests);
  } finally {
    isOver = true;
    await Promise.all(clients);
  }
  const ids = accounts.map(({ accountId }) => accountId);
  const findings = checkAcknowledged(writes, await readStoredAccounts(cluster.database, ids));
  return { requests, lost: describeFindings(findings), misses: findingMisses(findings) };
}

/**
 * For faults during which clients may see only 503, each within 3 seconds; `healthyAfter` is in milliseconds.
 */
export function judgeUnavailability(
  cluster: Cluster,
  { requests, lost, misses }: Trial,
  healthyAfter: number,
): Outcome {
  const longest = longestOf(requests);
  return {
    clientsSaw: `${describeOutcomes(requests)}; longest wait ${longest} ms`,
    lost,
    healthyAfter: `${healthyAfter} ms`,
    misses: [
      ...misses,
      ...unexpectedOutcomes(requests),
      ...missesOf(
        [longest > 3_000, `a response came after ${longest} ms`],
        [healthyAfter > 1_000, `healthy only after ${healthyAfter} ms`],
        [cluster.unexpectedEnds() > 0, 'a replica ended'],
      ),
    ],
  };
}

/** For faults during which no request may fail. */
export function judgeNoFailure(
  cluster: Cluster,
  { requests, lost, misses }: Trial,
  limitMilliseconds: number,
): Outcome {
  const failed = requests.filter((request) => !isSuccess(request));
  const longest = longestOf(requests);
  return {
    clientsSaw: `${describeOutcomes(requests)}; longest wait ${longest} ms`,
    lost,
    misses: [
      ...misses,
      ...missesOf(
        [failed.length > 0, `failed: ${describeOutcomes(failed)}`],
        [longest > limitMilliseconds, `a response came after ${longest} ms`],
        [cluster.unexpectedEnds() > 0, 'a replica ended'],
      ),
    ],
  };
}
