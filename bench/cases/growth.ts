import { sharedSources } from '../measure/http-request.ts';
import { interleave, type Round } from '../measure/interleave.ts';
import type { BenchCase } from '../report/bench-case.ts';
import { compareRates, type Finding, figure } from '../report/finding.ts';
import type { World } from '../stage/bench.ts';
import { httpContender } from '../stage/contender.ts';
import { createPopulatedWorld, smallPopulation } from '../stage/grown-worlds.ts';
import { buffersPerRequest } from '../stage/page-buffers.ts';
import { sampleNotes } from '../stage/sample-notes.ts';
import type { ServerProcess } from '../stage/server-process.ts';
import { withConnection } from '../stage/stores.ts';
import { requestsOf } from '../stage/world-requests.ts';

type Operation = {
  id: string;
  what: string;
  expectedStatus: number;
  requestsFor(world: World): Promise<Buffer[]> | Buffer[];
};
type Prepared = { operation: Operation; requests: Record<'small' | 'grown', readonly Buffer[]> };

const greatestRatio = 1.15;
/**
 * Buffers are counted with tokens of their own: the last use of a token is written once a minute, which would count
 * for some requests and not for others.
 */
const countedTokens = 20;

const operations: readonly Operation[] = [
  read('page', 'page of 50', () => '/tasks'),
  read('identity', '`/me`', () => '/me'),
  read('poll', '`updatedSince`, nothing new', () => '/tasks?view=all&updatedSince=2099-01-01T00:00:00.000Z'),
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
    const start = ({ databaseUrl }: World) => bench.startService({ service: 'resource-api', databaseUrl });
    await using smallService = await start(small);
    await using grownService = await start(grown);
    const prepared: Prepared[] = [];
    for (const operation of operations) {
      const requests = {
        small: await operation.requestsFor(small),
        grown: await operation.requestsFor(grown),
      };
      prepared.push({ operation, requests });
    }
    const findings: Finding[] = [];
    // Before any load: PostgreSQL adds up what a session did up to ten seconds later.
    for (const { operation, requests } of prepared) {
      bench.report(`${operation.what}: buffers`);
      const count = ({ databaseUrl }: World, service: ServerProcess, of: readonly Buffer[]) =>
        buffersPerRequest(bench, {
          databaseUrl,
          service,
          requests: of.slice(-countedTokens),
          expectedStatus: operation.expectedStatus,
        });
      findings.push(
        buffersFinding(
          operation,
          await count(small, smallService, requests.small),
          await count(grown, grownService, requests.grown),
        ),
      );
    }
    for (const { operation, requests } of prepared) {
      bench.report(operation.what);
      const contenderOf = <Name extends 'small' | 'grown'>(name: Name, service: ServerProcess) =>
        httpContender(bench, {
          name,
          servers: [service],
          sources: sharedSources(requests[name].slice(0, -countedTokens)),
          expectedStatus: operation.expectedStatus,
        });
      const rounds = await interleave<'small' | 'grown'>(
        [contenderOf('small', smallService), contenderOf('grown', grownService)],
        bench,
      );
      findings.push(timeFinding(operation, rounds));
    }
    return findings;
  },
};

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

function timeFinding({ id, what }: Operation, rounds: readonly Round<'small' | 'grown'>[]): Finding {
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
