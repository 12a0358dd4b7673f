import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { encodeRequest } from '../measure/http-request.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates, figure } from '../report/finding.ts';
import { compareReads } from '../stage/read-comparison.ts';
import { countRoundTrips } from '../stage/round-trips.ts';

/** Later than any change in the database of the bench. */
const path = '/tasks?view=all&updatedSince=2099-01-01T00:00:00.000Z';

export const emptyPoll: BenchCase = {
  id: 'empty-poll',
  what: 'GET /tasks with `updatedSince`, nothing new',
  goal: 'requests a second: at least those of R2; at most 2 round trips to the stores',
  async run(bench) {
    const { databaseUrl, clients } = await bench.world();
    const requests = clients.map(({ token, address }) =>
      encodeRequest({ path: apiRootPath + path, token, address }),
    );
    const trips = await countRoundTrips(bench, { databaseUrl, requests });
    const rounds = await compareReads(bench, ['bare-server'], () => path);
    return [
      compareRates(rounds, {
        id: 'bare-server',
        what: '`updatedSince`, nothing new, against R2',
        goal: '≥ 1.0',
        bound: { atLeast: 1 },
        ours: 'service',
        reference: 'bare-server',
      }),
      figure({
        id: 'round-trips',
        what: '`updatedSince`, nothing new: round trips to the stores',
        goal: '≤ 2',
        bound: { atMost: 2 },
        value: trips.database + trips.redis,
        unit: `(PostgreSQL ${trips.database}, Redis ${trips.redis})`,
      }),
    ];
  },
};
