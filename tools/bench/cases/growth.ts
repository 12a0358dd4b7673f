import type { Starts } from '../estimate.ts';
import { sharedSources } from '../measure/http-request.ts';
import { type Contender, interleave, type Round } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates } from '../report/compare-rounds.ts';
import { type Finding, figure } from '../report/finding.ts';
import type { Bench, World } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { createPopulatedWorld, smallPopulation } from '../stage/grown-worlds.ts';
import { buffersPerRequest } from '../stage/page-buffers.ts';
import { laterThanAnyChange, readLastChanges, recipePollPath } from '../stage/poll-paths.ts';
import { sampleNotes } from '../stage/sample-notes.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { withConnection } from '../stage/stores.ts';
import { requestsOf } from '../stage/world-requests.ts';

type Size = 'small' | 'grown';

type Operation = {
  id: string;
  what: string;
  expectedStatus: number;
  requestsFor(world: World): Promise<Buffer[]> | Buffer[];
};
type Prepared = { operation: Operation; requests: Record<Size, readonly Buffer[]> };

const greatestRatio = 1.15;
/**
 * Buffers are counted with tokens of their own: the last use of a token is written once a minute, which would count
 * for some requests and not for others.
 */
const countedTokens = 20;

const operations: readonly Operation[] = [
  read('page', 'page of 50', () => '/tasks'),
  read('identity', '`/me`', () => '/me'),
  read('poll', '`updatedSince` later than any change', () => laterThanAnyChange),
  {
    id: 'recipe-poll',
    what: '`updatedSince` the last change',
    expectedStatus: 200,
    async requestsFor(world) {
      const lastChanges = await readLastChanges(world);
      return requestsOf(world.clients, ({ accountId }) => ({ path: recipePollPath(lastChanges, accountId) }));
    },
  },
  {
    id: 'task',
    what: 'one task',
    expectedStatus: 200,
    async requestsFor(world) {
      const ids = await sampleTasks(world, 'open');
      return requestsOf(world.clients, (_, index) => ({ path: `/tasks/${ids[index % ids.length]}` }));
    },
  },
  {
    id: 'create',
    what: 'create',
    expectedStatus: 201,
    requestsFor({ clients }) {
      const body = { title: 'Order what is missing', description: sampleNotes };
      return requestsOf(clients, () => ({ method: 'POST', path: '/tasks', body }));
    },
  },
  {
    id: 'complete',
    what: 'complete a repeating task',
    expectedStatus: 200,
    async requestsFor(world) {
      const ids = await sampleTasks(world, 'repeating');
      return requestsOf(world.clients, (_, index) => ({
        method: 'POST',
        path: `/tasks/${ids[index % ids.length]}/complete`,
      }));
    },
  },
];

export const growth: BenchCase = {
  id: 'growth',
  what: 'from 10 accounts, 1,000 tasks in one and 10,000 feed entries to 100,000, 1,000,000 and 10,000,000',
  goal: 'each request takes at most 1.15 times as long, and touches at most 1.15 times the buffers',
  async run(bench) {
    const small = await createPopulatedWorld(bench, 'small', smallPopulation);
    const grown = await bench.grownWorld();
    // Right before they are sent: what a mirror asks for depends on what has been written meanwhile.
    const prepare = async (operation: Operation): Promise<Prepared> => {
      const requests = {
        small: await operation.requestsFor(small),
        grown: await operation.requestsFor(grown),
      };
      return { operation, requests };
    };
    const start = ({ databaseUrl }: World) => bench.startService({ service: 'resource-api', databaseUrl });
    const findings: Finding[] = [];
    // Before any load: PostgreSQL adds up what a session did up to ten seconds later.
    {
      await using smallService = await start(small);
      await using grownService = await start(grown);
      for (const operation of operations) {
        bench.report(`${operation.what}: buffers`);
        const one = await prepare(operation);
        const ofSmall = await countBuffers(bench, one, 'small', small, smallService);
        const ofGrown = await countBuffers(bench, one, 'grown', grown, grownService);
        findings.push(buffersFinding(operation, ofSmall, ofGrown));
      }
    }
    for (const operation of operations) {
      bench.report(operation.what);
      const one = await prepare(operation);
      const rounds = await interleave<Size>(
        async (parts) => [
          timedContender(bench, one, 'small', parts.use(await start(small))),
          timedContender(bench, one, 'grown', parts.use(await start(grown))),
        ],
        bench,
      );
      findings.push(timeFinding(operation, rounds));
    }
    return findings;
  },
};

function countBuffers(
  bench: Bench,
  { operation, requests }: Prepared,
  size: Size,
  { databaseUrl }: World,
  service: ServerProcess,
): Promise<number> {
  return buffersPerRequest(bench, {
    databaseUrl,
    service,
    requests: requests[size].slice(-countedTokens),
    expectedStatus: operation.expectedStatus,
  });
}

function timedContender(
  bench: Bench,
  { operation, requests }: Prepared,
  name: Size,
  service: ServerProcess,
): Contender<Size> {
  return httpContender(bench, {
    name,
    servers: [service],
    sources: sharedSources(requests[name].slice(0, -countedTokens)),
    expectedStatus: operation.expectedStatus,
  });
}

function buffersFinding({ id, what }: Operation, small: number, grown: number): Finding {
  return figure({
    id: `${id}-buffers`,
    what: `growth: ${what}, buffers`,
    goal: `≤ ${greatestRatio}`,
    bound: { atMost: greatestRatio },
    value: grown / small,
    unit: `(${grown.toFixed(1)} and ${small.toFixed(1)} a request)`,
  });
}

function timeFinding({ id, what }: Operation, rounds: Starts<Round<Size>>): Finding {
  return compareRates(rounds, {
    id,
    what: `growth: ${what}`,
    goal: `≤ ${greatestRatio}`,
    bound: { atMost: greatestRatio },
    ours: 'grown',
    reference: 'small',
  });
}

function read(id: string, what: string, pathFor: () => string): Operation {
  return {
    id,
    what,
    expectedStatus: 200,
    requestsFor: ({ clients }) => requestsOf(clients, () => ({ path: pathFor() })),
  };
}

/** At most a thousand of the account's tasks, from everywhere in its list. */
async function sampleTasks(
  { databaseUrl, accountIds }: World,
  kind: 'open' | 'repeating',
): Promise<string[]> {
  const rows = await withConnection(
    databaseUrl,
    ({ sql }) => sql<{ id: string }>`
      select id from tasks.task
      where account_id = ${accountIds[0]}::uuid and status = 'open' and trashed_at is null
        and (recurrence is not null) = ${kind === 'repeating'}::boolean
      order by md5(id::text) limit 1000`,
  );
  return rows.map(({ id }) => id);
}
