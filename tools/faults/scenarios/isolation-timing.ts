import { randomInt, randomUUID } from 'node:crypto';
import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import { type ClientRequest, createKeepAliveClient } from '../keep-alive-client.ts';
import { createLoadAccounts } from '../load-accounts.ts';
import { percentile } from '../load-figures.ts';
import type { Scenario } from '../scenario.ts';

const pairs = 2_000;
const warmUpPairs = 300;
const foreignTasks = 200;
const allowedDifference = 0.05;

type Operation = { name: string; requestFor(id: string): Pick<ClientRequest, 'method' | 'path' | 'body'> };

const operations: readonly Operation[] = [
  { name: 'read', requestFor: (id) => ({ method: 'GET', path: `${apiRootPath}/tasks/${id}` }) },
  {
    name: 'write',
    requestFor: (id) => ({ method: 'PATCH', path: `${apiRootPath}/tasks/${id}`, body: { title: 'mine' } }),
  },
];

/** Medians in milliseconds. `slowerShare`: of the pairs, those in which the foreign id took longer. */
type Measured = { name: string; foreign: number; missing: number; slowerShare: number; strange: number };

export const isolationTiming: Scenario = {
  id: 'isolation-timing',
  fault: `${pairs} pairs of requests for each of ${operations.length} operations, for another account’s id and for one that nobody has`,
  goal: `all 404; medians differ < ${allowedDifference * 100} %`,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'], replicas: 1 });
    const ids = await makeForeignTasks(cluster);
    const requests = 2 * (pairs + warmUpPairs) * operations.length;
    const [stranger] = await cluster.database.query((sql) =>
      createLoadAccounts(sql, { accounts: 1, requests }),
    );
    if (stranger === undefined) throw new Error('there is no stranger');
    const results: Measured[] = [];
    for (const operation of operations) {
      results.push(await measure(cluster, operation, ids, stranger.nextToken));
      report(describe(results.at(-1)));
    }
    const differences = results.map(({ foreign, missing }) => Math.abs(foreign / missing - 1));
    return {
      clientsSaw: results.map(describe).join('; '),
      lost: 'nothing',
      healthyAfter: '–',
      figures: {
        pairs,
        ...Object.fromEntries(
          results.flatMap(({ name, foreign, missing, slowerShare }, index) => [
            [`${name}ForeignMilliseconds`, round(foreign)],
            [`${name}MissingMilliseconds`, round(missing)],
            [`${name}DifferencePercent`, round((differences[index] ?? 0) * 100)],
            [`${name}ForeignSlowerPercent`, round(slowerShare * 100)],
          ]),
        ),
      },
      misses: missesOf(
        ...results.map(
          ({ name, strange }) => [strange > 0, `${strange} answers to the ${name} were no 404`] as const,
        ),
        ...results.map(
          ({ name }, index) =>
            [
              (differences[index] ?? 1) >= allowedDifference,
              `the medians of the ${name} differ too much`,
            ] as const,
        ),
      ),
    };
  },
};

async function makeForeignTasks(cluster: Cluster): Promise<string[]> {
  const token = await cluster.database.query(async (sql) => {
    const accounts = createTestAccounts(sql);
    const victim = await accounts.createAccount();
    return Promise.all([accounts.createToken(victim), accounts.createToken(victim)]);
  });
  const client = createKeepAliveClient(cluster.apiUrls[0] ?? '');
  try {
    const ids: string[] = [];
    for (let index = 0; index < foreignTasks; index += 1) {
      const { secret } = token[index % 2] ?? token[0];
      const body = { title: `Task ${index}` };
      const answer = await client.send({ method: 'POST', path: `${apiRootPath}/tasks`, token: secret, body });
      ids.push((JSON.parse(answer.body) as { id: string }).id);
    }
    return ids;
  } finally {
    client.close();
  }
}

/** One connection, one request after the other; which of a pair comes first is left to chance. */
async function measure(
  cluster: Cluster,
  { name, requestFor }: Operation,
  foreignIds: readonly string[],
  nextToken: () => string,
): Promise<Measured> {
  const client = createKeepAliveClient(cluster.apiUrls[0] ?? '');
  const foreign: number[] = [];
  const missing: number[] = [];
  let strange = 0;
  const ask = async (id: string): Promise<number> => {
    const { outcome, milliseconds } = await client.send({ ...requestFor(id), token: nextToken() });
    if (outcome !== 404) strange += 1;
    return milliseconds;
  };
  try {
    for (let pair = -warmUpPairs; pair < pairs; pair += 1) {
      const foreignId = foreignIds[randomInt(foreignIds.length)] ?? '';
      const isForeignFirst = randomInt(2) === 0;
      const first = await ask(isForeignFirst ? foreignId : randomUUID());
      const second = await ask(isForeignFirst ? randomUUID() : foreignId);
      if (pair < 0) continue;
      foreign.push(isForeignFirst ? first : second);
      missing.push(isForeignFirst ? second : first);
    }
  } finally {
    client.close();
  }
  const slower = foreign.filter((milliseconds, index) => milliseconds > (missing[index] ?? 0));
  return {
    name,
    foreign: percentile(foreign, 0.5),
    missing: percentile(missing, 0.5),
    slowerShare: slower.length / foreign.length,
    strange,
  };
}

function describe(measured: Measured | undefined): string {
  if (measured === undefined) return '';
  const { name, foreign, missing, slowerShare } = measured;
  return `${name}: ${round(foreign)} ms foreign, ${round(missing)} ms missing, foreign slower in ${round(slowerShare * 100)} %`;
}

function round(value: number): number {
  return Math.round(value * 1_000) / 1_000;
}
