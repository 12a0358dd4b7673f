import { setTimeout as delay } from 'node:timers/promises';
import { type Cluster, startCluster } from '../cluster.ts';
import { describeOutcomes, isSuccess, millisecondsUntilHealthy } from '../figures.ts';
import { judgeUnavailability, runUnderLoad, usualLoad } from '../load.ts';
import { missesOf, type Scenario } from '../scenario.ts';
import type { RestartMode } from '../stores.ts';

const goal =
  'only success and 503 with Retry-After, none later than 3 s, success again ≤ 1 s after it, lost 0';
const restarts = 3;

/** PostgreSQL is restarted under load, several times. */
function databaseRestart(mode: RestartMode): Scenario {
  return {
    id: `database-restart-${mode}`,
    fault: `PostgreSQL restarted ×${restarts} (${mode}) under load`,
    goal,
    async run(report) {
      await using cluster = await startCluster({ services: ['resource-api'] });
      const outages: { from: number; until: number }[] = [];
      const trial = await runUnderLoad(cluster, usualLoad, async () => {
        for (let turn = 0; turn < restarts; turn += 1) {
          const from = performance.now();
          await cluster.database.restart(mode);
          outages.push({ from, until: performance.now() });
          report(`unavailable for ${Math.round(performance.now() - from)} ms`);
          await delay(5_000);
        }
      });
      const healthy = outages.map(({ until }, index) => {
        const next = outages[index + 1]?.from ?? Number.POSITIVE_INFINITY;
        const between = trial.requests.filter(({ sentAt, milliseconds }) => sentAt + milliseconds < next);
        return millisecondsUntilHealthy(between, until);
      });
      return judgeUnavailability(cluster, trial, Math.max(...healthy));
    },
  };
}

export const databaseRestartFast = databaseRestart('fast');
export const databaseRestartImmediate = databaseRestart('immediate');

const frozenMilliseconds = 10_000;
const growthLimitMegabytes = 20;

export const databaseFrozen: Scenario = {
  id: 'database-frozen',
  fault: 'PostgreSQL frozen for 10 s (SIGSTOP) under load',
  goal: `${goal}; memory of a replica grows ≤ ${growthLimitMegabytes} MB`,
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    let goesOnAt = 0;
    let growth = 0;
    const trial = await runUnderLoad(cluster, { ...usualLoad, writers: 12, readers: 12 }, async () => {
      // Compiled code and caches take memory first, which the fault does not cause.
      await delay(10_000);
      const before = cluster.replicas['resource-api'].map((replica) => replica.residentMegabytes());
      report('frozen');
      await cluster.database.freeze(frozenMilliseconds);
      goesOnAt = performance.now();
      const after = cluster.replicas['resource-api'].map((replica) => replica.residentMegabytes());
      growth = Math.round(Math.max(...after.map((size, index) => size - (before[index] ?? 0))));
      report(`goes on; a replica has grown by ${growth} MB`);
      await delay(6_000);
    });
    const outcome = judgeUnavailability(cluster, trial, millisecondsUntilHealthy(trial.requests, goesOnAt));
    const misses = missesOf([growth > growthLimitMegabytes, `a replica grew by ${growth} MB`]);
    return { ...outcome, misses: [...outcome.misses, ...misses] };
  },
};

const readOnlyMilliseconds = 6_000;
/** Sessions reload the configuration between statements. */
const reloadMilliseconds = 500;

export const databaseReadOnly: Scenario = {
  id: 'database-read-only',
  fault: `PostgreSQL read-only for ${readOnlyMilliseconds / 1_000} s, as after a failover or on a full disk`,
  goal: 'writes 503, reads go on, 0 × 500, success again ≤ 1 s after it takes writes',
  async run(report) {
    await using cluster = await startCluster({ services: ['resource-api'] });
    let readOnlyAt = 0;
    let writableAt = 0;
    const trial = await runUnderLoad(cluster, usualLoad, async () => {
      await setReadOnly(cluster, true);
      readOnlyAt = performance.now() + reloadMilliseconds;
      report('read-only');
      await delay(readOnlyMilliseconds);
      await setReadOnly(cluster, false);
      writableAt = performance.now();
      report('writable');
      await delay(4_000);
    });
    const meanwhile = trial.requests.filter(
      ({ sentAt, milliseconds }) =>
        sentAt > readOnlyAt && sentAt + milliseconds < writableAt - reloadMilliseconds,
    );
    const failedReads = meanwhile.filter((request) => request.kind === 'read' && !isSuccess(request));
    const written = meanwhile.filter((request) => request.kind === 'write' && isSuccess(request));
    const outcome = judgeUnavailability(cluster, trial, millisecondsUntilHealthy(trial.requests, writableAt));
    return {
      ...outcome,
      misses: [
        ...outcome.misses,
        ...missesOf(
          [failedReads.length > 0, `reads failed: ${describeOutcomes(failedReads)}`],
          [meanwhile.length < 50, 'too few requests were sent meanwhile'],
          [written.length > 0, `${written.length} writes succeeded: it was not read-only`],
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
