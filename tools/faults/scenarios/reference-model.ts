import fc from 'fast-check';
import { beginningsOn, intentionsOn } from '#tests/model/history-arbitraries.ts';
import { openSender } from '#tests/model/replicas.ts';
import { HistoryDiffers, runHistory } from '#tests/model/run-history.ts';
import { readFeed } from '#tests/model/stack-account.ts';
import type { Sql } from '#tests/support/connect-sql.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { createTestAccounts } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import type { Scenario } from '../scenario.ts';

const histories = 10_000;
/** Histories under way at once, each on an account of its own. */
const lanes = 8;
const timeLimitMilliseconds = 90 * 60_000;
const hourMilliseconds = 3_600_000;

type Tally = { histories: number; operations: number; statuses: Map<number, number>; turned: number };

export const referenceModel: Scenario = {
  id: 'reference-model',
  fault: `${histories} random histories against a plain model of the interface, over two replicas`,
  goal: 'every answer, list, moment and feed entry as the model says: differences 0',
  limitMinutes: 95,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    const connection = connectSql(cluster.database.url);
    const tally: Tally = { histories: 0, operations: 0, statuses: new Map(), turned: 0 };
    const progress = setInterval(() => report(`${tally.histories} histories`), 60_000);
    const seed = Date.now() % 1_000_000;
    const started = performance.now();
    try {
      const failures = await Promise.all(
        Array.from({ length: lanes }, (_, lane) => runLane(cluster, connection.sql, tally, seed + lane)),
      );
      const differences = failures.flatMap((failure) => (failure === undefined ? [] : [failure]));
      for (const difference of differences) report(difference);
      const seconds = Math.round((performance.now() - started) / 1_000);
      const statuses = [...tally.statuses].toSorted(([one], [other]) => one - other);
      return {
        clientsSaw: statuses.map(([status, count]) => `${count} × ${status}`).join(', '),
        lost: differences.length === 0 ? 'nothing' : `${differences.length} histories differ`,
        healthyAfter: '–',
        figures: {
          histories: tally.histories,
          operations: tally.operations,
          differences: differences.length,
          leftOutBecauseTheDayTurned: tally.turned,
          seconds,
          seed,
        },
        misses: [
          ...differences.map((difference) => difference.slice(0, 300)),
          ...(tally.histories < histories ? [`only ${tally.histories} histories in the time given`] : []),
        ],
      };
    } finally {
      clearInterval(progress);
      await connection.close();
    }
  },
};

/** Its share of the histories; what differs, shrunk and in words. */
async function runLane(cluster: Cluster, sql: Sql, tally: Tally, seed: number): Promise<string | undefined> {
  const today = new Date().toISOString().slice(0, 10);
  const arbitrary = fc.tuple(
    fc.constantFrom('free' as const, 'premium' as const),
    fc.array(beginningsOn(today), { minLength: 4, maxLength: 6 }),
    fc.array(intentionsOn(today), { minLength: 10, maxLength: 20, size: 'max' }),
  );
  const property = fc.asyncProperty(arbitrary, async ([plan, beginnings, history]) => {
    const hour = Math.floor(Date.now() / hourMilliseconds);
    try {
      const operations = await runOnce(cluster, sql, tally, plan, [...beginnings, ...history]);
      tally.operations += operations;
    } catch (error) {
      // Somewhere the day changes with the hour: the model and the service may have met different days.
      const isTurned = Math.floor(Date.now() / hourMilliseconds) !== hour;
      if (!(error instanceof HistoryDiffers && isTurned)) throw error;
      tally.turned += 1;
    }
    tally.histories += 1;
  });
  try {
    await fc.assert(property, {
      numRuns: Math.ceil(histories / lanes),
      seed,
      interruptAfterTimeLimit: timeLimitMilliseconds,
      markInterruptAsFailure: false,
      includeErrorInReport: true,
    });
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}

async function runOnce(
  cluster: Cluster,
  sql: Sql,
  tally: Tally,
  plan: 'free' | 'premium',
  history: Parameters<typeof runHistory>[1],
): Promise<number> {
  const accounts = createTestAccounts(sql);
  const account = await accounts.createAccount({ plan });
  const { secret } = await accounts.createToken(account);
  const senders = cluster.apiUrls.map((url) => openSender(url, secret));
  let turn = 0;
  try {
    return await runHistory(
      {
        plan,
        now: () => new Date(),
        readFeed: () => readFeed({ sql }, account.accountId),
        async send(request) {
          turn += 1;
          const sender = senders[turn % senders.length];
          if (sender === undefined) throw new Error('no replica is there');
          const response = await sender.send(request);
          if (request.method !== 'GET') {
            tally.statuses.set(response.status, (tally.statuses.get(response.status) ?? 0) + 1);
          }
          return response;
        },
        async changeAccount({ plan: wanted = null, timezone = null }) {
          await sql`update auth.account set plan = coalesce(${wanted}, plan),
            timezone = coalesce(${timezone}, timezone) where id = ${account.accountId}`;
        },
      },
      history,
    );
  } finally {
    for (const sender of senders) sender.close();
  }
}
