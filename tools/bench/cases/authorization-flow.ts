import { eachRound } from '../estimate.ts';
import { type Contender, interleave } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { timesOf } from '../report/compare-rounds.ts';
import { figure, judgeSamples } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import { measureBlock } from '../stage/contender.ts';
import { openCountedStores, type StoreCounts } from '../stage/counted-stores.ts';
import { type AppConnector, openConnector, startAuthServer } from '../stage/oauth-apps.ts';
import type { ServerProcess } from '../stage/server-process.ts';

/** Browsers that connect apps at the same time, each signed in to an account of its own. */
const browsers = 16;
const firstFlows = 5;
const countedFlows = 9;

export const authorizationFlow: BenchCase = {
  id: 'authorization-flow',
  what: 'an app connects: registration, authorization request, consent, code, tokens',
  goal: 'at least 100 a second of processor time, the sign-in before aside; at most 25 statements',
  async run(bench) {
    const { databaseUrl } = await bench.world();
    const counts = await countRoundTrips(bench, databaseUrl);
    const rounds = await interleave<'flow'>(
      async (parts) => {
        const service = parts.use(await startAuthServer(bench, { databaseUrl }));
        return [await flowContender(bench, databaseUrl, service)];
      },
      { ...bench, warmUpRequests: bench.warmUpRequests / 10 },
    );
    return [
      judgeSamples({
        id: 'per-core',
        what: 'apps connected for a second of auth-server’s processor time',
        goal: '≥ 100',
        bound: { atLeast: 100 },
        samples: eachRound(rounds, ({ flow }) => 1_000 / flow.processor.server),
        unit: '',
        ...timesOf(eachRound(rounds, ({ flow }) => flow)),
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

async function flowContender(
  bench: Bench,
  databaseUrl: string,
  service: ServerProcess,
): Promise<Contender<'flow'>> {
  const connectors = await Promise.all(
    Array.from({ length: browsers }, () => openConnector(bench, databaseUrl, service)),
  );
  return {
    name: 'flow',
    run(milliseconds) {
      service.emptyLog();
      return measureBlock({ serverPids: [service.pid], stores: bench.stores }, () =>
        connectFor(connectors, milliseconds),
      );
    },
  };
}

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

async function countRoundTrips(bench: Bench, databaseUrl: string): Promise<StoreCounts> {
  await using stores = await openCountedStores(bench, databaseUrl);
  await using service = await startAuthServer(bench, stores.urls);
  const { connect } = await openConnector(bench, databaseUrl, service);
  return await stores.count({ first: firstFlows, counted: countedFlows }, connect);
}
