import { type Contender, interleave } from '../measure/interleave.ts';
import { openWireCounter } from '../measure/wire-counter.ts';
import { median } from '../paired-ratio.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { figure } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { measureBlock } from '../stage/contender.ts';
import { type AppConnector, openConnector, startAuthServer } from '../stage/oauth-apps.ts';

/** Browsers that connect apps at the same time, each signed in to an account of its own. */
const browsers = 4;
const firstFlows = 5;
const countedFlows = 9;

export const authorizationFlow: BenchCase = {
  id: 'authorization-flow',
  what: 'an app connects: registration, authorization request, consent, code, tokens',
  goal: 'at least 100 a second of processor time, the sign-in before aside; at most 25 statements',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const counts = await countRoundTrips(bench, databaseUrl);
    await using service = await startAuthServer(bench, { databaseUrl });
    const connectors = await Promise.all(
      Array.from({ length: browsers }, () => openConnector(databaseUrl, service)),
    );
    const flows: Contender<'flow'> = {
      name: 'flow',
      run(milliseconds) {
        service.emptyLog();
        return measureBlock({ serverPids: [service.pid], stores: bench.stores }, () =>
          connectFor(connectors, milliseconds),
        );
      },
    };
    const rounds = await interleave([flows], { ...bench, warmUpRequests: bench.warmUpRequests / 10 });
    const perFlow = median(rounds.map(({ flow }) => flow.processor.server));
    return [
      figure({
        id: 'per-core',
        what: 'apps connected for a second of auth-server’s processor time',
        goal: '≥ 100',
        bound: { atLeast: 100 },
        value: Math.round(1_000 / perFlow),
        unit: '',
      }),
      figure({
        id: 'statements',
        what: 'an app connects: statements',
        goal: '≤ 25',
        bound: { atMost: 25 },
        value: counts.database,
        unit: `(and ${counts.redis} commands to Redis)`,
      }),
    ];
  },
};

/** Apps connected, one after the other in each browser. */
async function connectFor(
  connectors: readonly AppConnector[],
  milliseconds: number,
): Promise<{ requests: number; milliseconds: number }> {
  const startedAt = performance.now();
  let requests = 0;
  await Promise.all(
    connectors.map(async ({ connect }) => {
      while (performance.now() < startedAt + milliseconds) {
        await connect();
        requests += 1;
      }
    }),
  );
  return { requests, milliseconds: performance.now() - startedAt };
}

async function countRoundTrips(
  bench: Bench,
  databaseUrl: string,
): Promise<{ database: number; redis: number }> {
  const throughCounter = new URL(databaseUrl);
  const redisUrl = new URL(bench.stores.redisUrl);
  await using database = await openWireCounter(Number(throughCounter.port));
  await using redis = await openWireCounter(Number(redisUrl.port));
  throughCounter.port = String(database.port);
  redisUrl.port = String(redis.port);
  await using service = await startAuthServer(bench, {
    databaseUrl: throughCounter.href,
    redisUrl: redisUrl.href,
  });
  const { connect } = await openConnector(databaseUrl, service);
  const counts: { database: number; redis: number }[] = [];
  for (let number = 0; number < firstFlows + countedFlows; number += 1) {
    const before = { database: database.roundTrips(), redis: redis.roundTrips() };
    await connect();
    if (number < firstFlows) continue;
    counts.push({
      database: database.roundTrips() - before.database,
      redis: redis.roundTrips() - before.redis,
    });
  }
  return {
    database: median(counts.map((count) => count.database)),
    redis: median(counts.map((count) => count.redis)),
  };
}
