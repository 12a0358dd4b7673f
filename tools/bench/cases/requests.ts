import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { median } from '../../statistics.ts';
import { type BenchCase, type Finding, judgeSamples } from '../bench-case.ts';
import { figuresOf, httpContender, interleave, processorRatios, type Rounds } from '../interleave.ts';
import { encodeRequest, sharedSources } from '../load.ts';
import { issueAccessTokens } from '../oauth-apps.ts';
import { operations } from '../operations.ts';

/** Few enough for the cache of verified tokens. */
const jwtClients = 2_000;

export const requests: BenchCase = {
  id: 'requests',
  what: 'what each request takes of its processes',
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
