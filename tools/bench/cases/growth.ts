import { apiRootPath } from '#shared/http/protected-resource-urls.ts';
import type { SqlConnection } from '#tests/support/connect-sql.ts';
import { type Bench, createWorld, type World } from '../bench.ts';
import { type BenchCase, judgeSamples } from '../bench-case.ts';
import { requestsOf } from '../clients.ts';
import { type Contender, httpContender, interleave, processorRatios } from '../interleave.ts';
import { encodeRequest, sendOnce, sharedSources } from '../load.ts';
import { operations } from '../operations.ts';
import type { ServerProcess } from '../server-process.ts';

type Population = { accounts: number; tasks: number; feedEntries: number };

const small: Population = { accounts: 10, tasks: 1_000, feedEntries: 10_000 };
const grownQuick: Population = { accounts: 1_000, tasks: 20_000, feedEntries: 100_000 };
const grown: Population = { accounts: 100_000, tasks: 1_000_000, feedEntries: 10_000_000 };

export const growth: BenchCase = {
  id: 'growth',
  what: 'requests and deep pages as accounts, tasks and history grow a thousandfold',
  async run(bench) {
    const worlds = {
      small: await populate(bench, 'small', small),
      grown: await populate(bench, 'grown', bench.isQuick ? grownQuick : grown),
    };
    const deepPage = bench.isQuick ? 300 : 10_000;
    const cursor = await walk(bench, worlds.grown, deepPage);
    const rounds = await interleave(bench, async (parts) => {
      const contenders: Contender[] = [];
      for (const [size, world] of Object.entries(worlds)) {
        const { databaseUrl } = world;
        const server = parts.use(await bench.startService({ service: 'resource-api', databaseUrl }));
        for (const { id, expectedStatus, requestsFor } of operations) {
          const sources = sharedSources(await requestsFor(world));
          contenders.push(httpContender(bench, { name: `${id} ${size}`, server, sources, expectedStatus }));
        }
        if (size !== 'grown') continue;
        const deep = requestsOf(world.clients, () => ({ path: `/tasks?cursor=${cursor}` }));
        const sources = sharedSources(deep);
        contenders.push(httpContender(bench, { name: 'deep page', server, sources, expectedStatus: 200 }));
      }
      return contenders;
    });
    return [
      ...operations.map(({ id, what }) =>
        judgeSamples(processorRatios(rounds, `${id} grown`, `${id} small`), {
          what: `growth: ${what}`,
          bound: { atMost: 1.15 },
        }),
      ),
      judgeSamples(processorRatios(rounds, 'deep page', 'page grown'), {
        what: `page ${deepPage} of 50 tasks, against page 1`,
        bound: { atMost: 1.1 },
      }),
    ];
  },
};

/** All clients belong to the account that has the tasks; the others have a token and some history each. */
function populate({ stores, report }: Bench, name: string, population: Population): Promise<World> {
  const { accounts, tasks, feedEntries } = population;
  report(`a database of ${accounts} accounts, ${tasks} tasks in one, ${feedEntries} feed entries`);
  const entriesOfEach = Math.floor((feedEntries - tasks) / accounts);
  // Enough tokens for a few thousand requests a second within their limits.
  return createWorld(stores, name, { accounts: 1, tokensPerAccount: 5_000, tasks }, (connection) =>
    addOthers(connection, accounts, entriesOfEach),
  );
}

async function addOthers({ sql }: SqlConnection, accounts: number, entriesOfEach: number): Promise<void> {
  await sql`insert into auth.account
    (id, email, email_folded, password_hash, plan, timezone, status, created_at, updated_at)
    select gen_random_uuid(), number || '@other.example', number || '@other.example', 'none',
      'free', 'UTC', 'active', now(), now()
    from generate_series(1, ${accounts}::int) number`;
  await sql`insert into auth.api_token (id, account_id, name, scopes, token_hash, last_four, created_at)
    select gen_random_uuid(), id, 'Other', '{read}', sha256(id::text::bytea), 'none', now()
    from auth.account where plan = 'free'`;
  await sql`insert into tasks.feed_entry (account_id, sequence, entity, entity_id, change, changed_at)
    select id, number, 'task', gen_random_uuid(), 'updated', now()
    from auth.account, generate_series(1, ${entriesOfEach}::int) number where plan = 'free'`;
  await sql`insert into tasks.account_feed (account_id, last_sequence, last_changed_at)
    select id, ${entriesOfEach}::int, now() from auth.account where plan = 'free'`;
}

/** Follows the cursors in the largest steps; the cursor of that page of 50. */
async function walk(bench: Bench, world: World, page: number): Promise<string> {
  const { databaseUrl, clients } = world;
  await using service: ServerProcess = await bench.startService({ service: 'resource-api', databaseUrl });
  const size = 50;
  const largest = 200;
  let cursor = '';
  for (let passed = 0, turn = 0; passed < (page - 1) * size; turn += 1) {
    const limit = Math.min(largest, (page - 1) * size - passed);
    const path = `${apiRootPath}/tasks?limit=${limit}${cursor === '' ? '' : `&cursor=${cursor}`}`;
    const token = clients[turn % clients.length]?.token ?? '';
    const { status, body } = await sendOnce(service.port, encodeRequest({ path, token }), bench.signal);
    if (status !== 200) throw new Error(`a page has status ${status}: ${body}`);
    const { nextCursor }: { nextCursor: string } = JSON.parse(String(body));
    cursor = encodeURIComponent(nextCursor);
    passed += limit;
  }
  return cursor;
}
