import { sharedSources } from '../measure/http-request.ts';
import { interleave } from '../measure/interleave.ts';
import { pageRequest, requireSamePage } from '../peers/directus-page.ts';
import { prepareDirectus } from '../peers/start-directus.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareProcessorTime, compareRates, tellRates } from '../report/compare-rounds.ts';
import { httpContender } from '../stage/contender.ts';
import { requestsOf } from '../stage/world-requests.ts';

type Name = 'service' | 'directus' | 'directus with cache';

const path = '/tasks';

export const pageOf50Peers: BenchCase = {
  id: 'page-of-50-peers',
  what: 'GET /tasks, a page of 50 tasks, against Directus, which is installed from npm for it',
  goal: 'requests a second: at least 5 times those of Directus',
  async run(bench) {
    const world = await bench.world();
    // First: its database is a copy of the world, which nobody may use meanwhile.
    await using directus = await prepareDirectus(bench, world);
    const { users } = directus;
    const ours = sharedSources(requestsOf(world.clients, () => ({ path })));
    const theirs = sharedSources(users.map(pageRequest));
    // Directus answers so few requests a second that it needs longer to be as warm.
    const longestWarmUpMilliseconds = 2.5 * bench.longestWarmUpMilliseconds;
    const rounds = await interleave<Name>(
      async (parts) => {
        const server = parts.use(await directus.start());
        const cachingServer = parts.use(await directus.startCaching());
        const service = parts.use(
          await bench.startService({ service: 'resource-api', databaseUrl: world.databaseUrl }),
        );
        for (const user of users) {
          const client = world.clients.filter(({ accountId }) => accountId === user.accountId).slice(0, 1);
          for (const request of requestsOf(client, () => ({ path })))
            await requireSamePage(
              { port: service.port, request },
              { port: server.port, request: pageRequest(user) },
              bench.signal,
            );
        }
        return [
          httpContender(bench, { name: 'service', servers: [service], sources: ours }),
          httpContender(bench, { name: 'directus', servers: [server], sources: theirs }),
          httpContender(bench, { name: 'directus with cache', servers: [cachingServer], sources: theirs }),
        ];
      },
      { ...bench, longestWarmUpMilliseconds },
    );
    return [
      compareRates(rounds, {
        id: 'directus',
        what: 'page of 50 tasks, against Directus',
        goal: '≥ 5',
        bound: { atLeast: 5 },
        ours: 'service',
        reference: 'directus',
      }),
      compareProcessorTime(rounds, {
        id: 'directus-processor',
        what: 'processor time: page of 50 tasks, against Directus',
        goal: '≤ 0.2',
        bound: { atMost: 0.2 },
        ours: 'service',
        reference: 'directus',
      }),
      // The service asks PostgreSQL each time and answers with what is there.
      tellRates(rounds, {
        id: 'directus-with-cache',
        what: 'page of 50 tasks, against Directus that answers from its cache',
        ours: 'service',
        reference: 'directus with cache',
      }),
    ];
  },
};
