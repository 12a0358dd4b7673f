import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { Bench } from '../bench.ts';
import { type BenchCase, type Finding, judgeCount, judgeSamples } from '../bench-case.ts';
import { figuresOf, httpContender, interleave, processorRatios, type Rounds } from '../interleave.ts';
import { encodeRequest, sendOnce, sharedSources } from '../load.ts';
import { issueAccessTokens } from '../oauth-apps.ts';
import { type Operation, operations } from '../operations.ts';
import { openCountedStores } from '../round-trips.ts';
import { median } from '../statistics.ts';

/** Few enough for the cache of verified tokens. */
const jwtClients = 2_000;

export const requests: BenchCase = {
  id: 'requests',
  what: 'what each request takes of its processes, and how often it waits for a store',
  async run(bench) {
    const world = await bench.world();
    const { databaseUrl, clients } = world;
    const tokens = await issueAccessTokens(world, clients.slice(0, jwtClients));
    const withJwt = tokens.map((token, index) =>
      encodeRequest({ path: `${apiRootPath}/tasks`, token, address: clients[index]?.address ?? '' }),
    );
    const rounds = await interleave(bench, async (parts) => {
      const server = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
      const prepared = await Promise.all(
        operations.map(async ({ id, expectedStatus, requestsFor }) => {
          const sources = sharedSources(await requestsFor(world));
          return httpContender(bench, { name: id, server, sources, expectedStatus });
        }),
      );
      const sources = sharedSources(withJwt);
      return [...prepared, httpContender(bench, { name: 'page-jwt', server, sources, expectedStatus: 200 })];
    });
    const trips: Finding[] = [];
    for (const operation of operations) trips.push(await countTrips(bench, operation));
    return [
      ...operations.map(({ id, what }) => describeTimes(rounds, id, what)),
      describeShare(rounds, 'task', 'one task'),
      describeShare(rounds, 'page', 'page of 50 tasks'),
      describeTimes(rounds, 'page-jwt', 'page of 50 tasks with a JWT'),
      judgeSamples(processorRatios(rounds, 'page', 'page-jwt'), {
        what: 'a page with a personal token, against one with a JWT',
        bound: { atMost: 1.15 },
      }),
      judgeSamples(processorRatios(rounds, 'complete', 'create'), {
        what: 'complete a repeating task, against a create',
        bound: { atMost: 1.4 },
      }),
      ...trips,
    ];
  },
};

function describeTimes(rounds: Rounds, id: string, what: string): Finding {
  const middle = (figures: number[][]) => median(figures.flat()).toFixed(2);
  const database = middle(figuresOf(rounds, id, (block) => block.database));
  const redis = middle(figuresOf(rounds, id, (block) => block.redis));
  return judgeSamples(
    figuresOf(rounds, id, ({ server }) => server),
    { what: `${what}: processor time`, unit: 'ms', note: `and PostgreSQL ${database}, Redis ${redis}` },
  );
}

/** Where PostgreSQL gets one statement, 100 % would be its own rate for it, with nothing around it. */
function describeShare(rounds: Rounds, id: string, what: string): Finding {
  return judgeSamples(
    figuresOf(rounds, id, ({ server, database, redis }) => (100 * database) / (server + database + redis)),
    { what: `${what}: PostgreSQL's share of the processor time of all processes`, unit: '%' },
  );
}

async function countTrips(bench: Bench, operation: Operation): Promise<Finding> {
  const world = await bench.world();
  const sent = await operation.requestsFor(world);
  await using stores = await openCountedStores(bench, world.databaseUrl);
  await using service = await bench.startService({ service: 'resource-api', ...stores.urls });
  const { database, redis } = await stores.count(async (turn) => {
    // Few clients, so that their tokens are cached.
    const { status, body } = await sendOnce(service.port, sent[turn % 20] ?? Buffer.of(), bench.signal);
    if (status !== operation.expectedStatus) throw new Error(`${operation.id} has status ${status}: ${body}`);
  });
  return judgeCount(database + redis, {
    what: `${operation.what}: round trips to the stores`,
    bound: { atMost: operation.mostRoundTrips },
    note: `(PostgreSQL ${database}, Redis ${redis})`,
  });
}
