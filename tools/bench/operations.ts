import type { World } from './bench.ts';
import { type Client, requestsOf } from './clients.ts';
import { withConnection } from './stores.ts';

/** A request of the API that is measured. */
type Operation = {
  id: string;
  what: string;
  expectedStatus: number;
  requestsFor(world: World): Promise<Buffer[]> | Buffer[];
};

/** One kilobyte of Markdown as people write it. */
const notes = [
  '# What is missing\n',
  'Some **bold** words, _others_ not, and a [link](https://example.com/catalogue?page=4).\n',
  '- boards, 18 mm, two of them',
  '- screws of four sizes',
  '- oil, a litre, and `the blue paint`\n',
  '> It was sold out last week.\n\n',
]
  .join('\n')
  .repeat(6)
  .slice(0, 1_024);

export const newTask = { title: 'Order what is missing', description: notes };

export const operations: readonly Operation[] = [
  read('me', '`/me`', () => '/me'),
  {
    ...read('task', 'one task', () => ''),
    async requestsFor(world) {
      const ids = await findTasks(world, 'open');
      return requestsOf(world.clients, (client, index) => ({ path: `/tasks/${idFor(ids, client, index)}` }));
    },
  },
  read('page', 'page of 50 tasks', () => '/tasks'),
  read('empty-poll', 'poll with an `updatedSince` later than any change', () => {
    return '/tasks?view=all&updatedSince=2099-01-01T00:00:00.000Z';
  }),
  {
    ...read('poll', 'poll with the greatest `updatedAt` seen, as mirrors poll', () => ''),
    async requestsFor(world) {
      const changes = await readLastChanges(world);
      return requestsOf(world.clients, ({ accountId }) => ({
        path: `/tasks?view=all&updatedSince=${changes.get(accountId)}`,
      }));
    },
  },
  {
    id: 'create',
    what: 'create a task with 1 kB of Markdown',
    expectedStatus: 201,
    requestsFor: ({ clients }) =>
      requestsOf(clients, () => ({ method: 'POST', path: '/tasks', body: newTask })),
  },
  {
    id: 'complete',
    what: 'complete a repeating task',
    expectedStatus: 200,
    async requestsFor(world) {
      const ids = await findTasks(world, 'repeating');
      return requestsOf(world.clients, (client, index) => ({
        method: 'POST',
        path: `/tasks/${idFor(ids, client, index)}/complete`,
      }));
    },
  },
];

function read(id: string, what: string, pathFor: () => string): Operation {
  const requestsFor = ({ clients }: World) => requestsOf(clients, () => ({ path: pathFor() }));
  return { id, what, expectedStatus: 200, requestsFor };
}

type TaskIds = ReadonlyMap<string, readonly string[]>;

function idFor(ids: TaskIds, { accountId }: Client, index: number): string {
  const own = ids.get(accountId) ?? [];
  return own[index % own.length] ?? '';
}

/** Some tasks of each account. */
async function findTasks({ databaseUrl }: World, kind: 'open' | 'repeating'): Promise<TaskIds> {
  const rows = await withConnection(
    databaseUrl,
    ({ sql }) => sql<{ account_id: string; id: string }>`
      select account_id, id from tasks.task
      where status = 'open' and trashed_at is null and (recurrence is not null) = ${kind === 'repeating'}
      order by md5(id::text) limit 10000`,
  );
  const groups = Map.groupBy(rows, ({ account_id }) => account_id);
  return new Map([...groups].map(([accountId, of]) => [accountId, of.map(({ id }) => id)]));
}

/** Of each account the greatest `updatedAt` of its tasks. */
async function readLastChanges({ databaseUrl }: World): Promise<ReadonlyMap<string, string>> {
  const rows = await withConnection(
    databaseUrl,
    ({ sql }) => sql<{ account_id: string; changed: string }>`
      select account_id,
        to_char(max(updated_at) at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"') as changed
      from tasks.task group by account_id`,
  );
  return new Map(rows.map(({ account_id, changed }) => [account_id, changed]));
}
