import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import { encodeRequest } from '../measure/http-request.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { type Finding, figure } from '../report/finding.ts';
import type { Bench } from '../stage/bench.ts';
import type { Client } from '../stage/clients.ts';
import { laterThanAnyChange, readLastChanges, recipePollPath } from '../stage/poll-paths.ts';
import { compareReads } from '../stage/read-comparison.ts';
import { countRoundTrips } from '../stage/round-trips.ts';

const goal = 'requests a second: at least those of R2; at most 2 round trips to the stores';

export const emptyPoll: BenchCase = {
  id: 'empty-poll',
  what: 'GET /tasks with an `updatedSince` later than any change: no task comes',
  goal,
  run: (bench) => measurePoll(bench, '`updatedSince` later than any change', () => laterThanAnyChange),
};

export const recipePoll: BenchCase = {
  id: 'recipe-poll',
  what: 'GET /tasks with the greatest `updatedAt` seen, as a mirror polls: the last task comes again',
  goal,
  async run(bench) {
    const lastChanges = await readLastChanges(await bench.world());
    return measurePoll(bench, '`updatedSince` the last change, as mirrors poll', ({ accountId }) =>
      recipePollPath(lastChanges, accountId),
    );
  },
};

async function measurePoll(
  bench: Bench,
  what: string,
  pathFor: (client: Client) => string,
): Promise<Finding[]> {
  const { databaseUrl, clients } = await bench.world();
  const requests = clients.map((client) => encodeRequest({ ...client, path: apiRootPath + pathFor(client) }));
  const trips = await countRoundTrips(bench, { databaseUrl, requests });
  const rounds = await compareReads(bench, ['bare-server'], pathFor);
  return [
    compareRates(rounds, {
      id: 'bare-server',
      what: `${what}, against R2`,
      goal: '≥ 1.0',
      bound: { atLeast: 1 },
      ours: 'service',
      reference: 'bare-server',
    }),
    figure({
      id: 'round-trips',
      what: `${what}: round trips to the stores`,
      goal: '≤ 2',
      bound: { atMost: 2 },
      value: trips.database + trips.redis,
      unit: `(PostgreSQL ${trips.database}, Redis ${trips.redis})`,
    }),
  ];
}
