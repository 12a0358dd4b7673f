import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, startCluster } from '../cluster.ts';
import { missesOf } from '../judge.ts';
import {
  describeOutcomes,
  isSuccess,
  millisecondsUntilHealthy,
  unexpectedOutcomes,
} from '../load-figures.ts';
import { lossOf, runUnderLoad, writeFigures } from '../load-trial.ts';
import type { Scenario } from '../scenario.ts';

const readOnlyMilliseconds = 6_000;
/** A configuration reaches sessions between two of their statements. */
const reloadMilliseconds = 500;
const healthyGoalMilliseconds = 1_000;
const shape = {
  writers: 8,
  readers: 8,
  pauseMilliseconds: 60,
  requestLimit: 10_000,
  timeLimitMilliseconds: 60_000,
};

export const databaseReadOnly: Scenario = {
  id: 'database-read-only',
  fault: `PostgreSQL read-only for ${readOnlyMilliseconds / 1_000} s, as after a failover or on a full disk`,
  goal: 'writes 503, reads go on, 0 × 500, success again ≤ 1 s after it takes writes',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    let readOnlyAt = 0;
    let writableAt = 0;
    const trial = await runUnderLoad(cluster, shape, async () => {
      await setReadOnly(cluster, true);
      readOnlyAt = performance.now() + reloadMilliseconds;
      report('read-only');
      await delay(readOnlyMilliseconds);
      writableAt = performance.now();
      await setReadOnly(cluster, false);
      writableAt = performance.now();
      report('writable');
      await delay(4_000);
    });
    const meanwhile = trial.requests.filter(
      ({ sentAt, milliseconds }) =>
        sentAt > readOnlyAt && sentAt + milliseconds < writableAt - reloadMilliseconds,
    );
    const reads = meanwhile.filter(({ kind }) => kind === 'read');
    const writes = meanwhile.filter(({ kind }) => kind === 'write');
    const failedReads = reads.filter((request) => !isSuccess(request));
    const written = writes.filter(isSuccess);
    const healthy = millisecondsUntilHealthy(trial.requests, writableAt);
    const { lost, misses } = lossOf(trial);
    return {
      clientsSaw: `meanwhile reads ${describeOutcomes(reads)}; writes ${describeOutcomes(writes)}`,
      lost,
      healthyAfter: `${healthy} ms`,
      figures: {
        reads: reads.length,
        writes: writes.length,
        healthyAfterMilliseconds: healthy,
        ...writeFigures(trial),
      },
      misses: [
        ...misses,
        ...unexpectedOutcomes(trial.requests),
        ...missesOf(
          [failedReads.length > 0, `reads failed: ${describeOutcomes(failedReads)}`],
          [reads.length === 0 || writes.length === 0, 'nothing was sent meanwhile'],
          [written.length > 0, `${written.length} writes succeeded: it was not read-only`],
          [healthy > healthyGoalMilliseconds, `healthy only after ${healthy} ms`],
        ),
      ],
    };
  },
};

async function setReadOnly(cluster: Cluster, isReadOnly: boolean): Promise<void> {
  await cluster.database.query(async (sql) => {
    await sql`set default_transaction_read_only = off`;
    if (isReadOnly) await sql`alter system set default_transaction_read_only = on`;
    else await sql`alter system reset default_transaction_read_only`;
    await sql`select pg_reload_conf()`;
  });
}
