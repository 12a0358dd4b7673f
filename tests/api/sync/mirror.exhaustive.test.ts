import test, { type ExecutionContext } from 'ava';
import type { Task } from '#tests/support/api-types.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { createPollingMirror, type PollingMirror, walk } from './polling-mirror.ts';
import { type SharedIds, seededRandom, writeSomething } from './random-writer.ts';

const writers = 8;
const writes = Number(process.env.MIRROR_WRITES ?? 2_000);
const seed = Number(process.env.MIRROR_SEED ?? Date.now() % 1_000_000);

/** Commits of the account's tasks are held up at random, between the stamp and the end of the transaction. */
async function delayCommits(stack: Stack): Promise<void> {
  await stack.sql`create function tasks.dawdle() returns trigger language plpgsql as $$
    begin
      if random() < 0.1 then perform pg_sleep(random() * 0.02); end if;
      return null;
    end $$`;
  await stack.sql`create constraint trigger dawdle after insert or update on tasks.task
    deferrable initially deferred for each row execute function tasks.dawdle()`;
}

/** Stamps as a naive service would take them: by the clock, with nothing held until the commit. */
async function removeAccountLock(stack: Stack): Promise<void> {
  await stack.sql`create sequence tasks.unlocked_sequence increment 100000`;
  await stack.sql`grant usage on tasks.unlocked_sequence to resource_api`;
  await stack.sql`create or replace function tasks.open_write(account uuid)
    returns table (last_sequence bigint, changed_at timestamptz, plan text, timezone text, status text)
    language sql volatile as $$
      select nextval('tasks.unlocked_sequence'), clock_timestamp(), a.plan, a.timezone, a.status
      from auth.account_access a where a.account_id = account $$`;
}

type Run = { mirrors: PollingMirror[]; stored: Task[]; refusals: Set<number> };

/**
 * `operations` random writes by 8 clients of one account, while two mirrors poll it; then one last poll each. Writers
 * and mirrors are spread over two replicas: within one process an account's writes take turns anyway.
 */
async function mirrorWhileWriting(t: ExecutionContext, stack: Stack, operations: number): Promise<Run> {
  const client = await stack.newClient({ plan: 'premium' });
  const replica = await startStack(t, { databaseUrl: stack.databaseUrl });
  const clients = [client, replica.client(client.token)];
  const ids: SharedIds = { tasks: [], projects: [] };
  const mirrors = clients.map((each, index) =>
    createPollingMirror(each, index === 0 ? 'greatest-seen' : 'poll-start'),
  );
  const refusals = new Set<number>();
  let left = operations;
  const write = async (_: unknown, writer: number): Promise<void> => {
    const random = seededRandom(seed + writer);
    while (left-- > 0) {
      const status = await writeSomething(clients[writer % 2] ?? client, ids, random);
      if (status >= 400) refusals.add(status);
    }
  };
  let isWriting = true;
  const polling = Promise.all(
    mirrors.map(async (mirror) => {
      while (isWriting) await mirror.poll();
    }),
  );
  await Promise.all(Array.from({ length: writers }, write));
  isWriting = false;
  await polling;
  for (const mirror of mirrors) await mirror.poll();
  const stored: Task[] = [];
  for await (const task of walk(client, '/tasks?view=all&limit=200')) stored.push(task);
  stored.sort((one, other) => (one.id < other.id ? -1 : 1));
  return { mirrors, stored, refusals };
}

function differences(mirror: PollingMirror, stored: Task[]): number {
  const copies = new Map(mirror.tasks().map((task) => [task.id, JSON.stringify(task)]));
  return stored.filter((task) => copies.get(task.id) !== JSON.stringify(task)).length;
}

function assertExpectedRefusals(t: ExecutionContext, { refusals }: Run): void {
  for (const status of refusals) t.true([404, 409].includes(status), `a writer was answered ${status}`);
}

test.serial(
  'a mirror built only by polling equals the account after random writes by 8 writers',
  async (t) => {
    t.timeout(600_000);
    const stack = await startStack(t, { own: true });
    await delayCommits(stack);
    const run = await mirrorWhileWriting(t, stack, writes);
    assertExpectedRefusals(t, run);
    t.true(run.stored.length > writes / 10, 'the writers wrote');
    for (const mirror of run.mirrors) t.deepEqual(mirror.tasks(), run.stored, `seed ${seed}`);
    const rows = await stack.sql<{ gaps: string }>`
    select count(*) filter (where sequence <> position) as gaps from (
      select sequence, row_number() over (partition by account_id order by sequence) as position from tasks.feed_entry
    ) numbered`;
    t.is(Number(rows[0]?.gaps), 0, 'the feed has no gap');
  },
);

test.serial(
  'without the account’s lock such a mirror loses changes, or the database refuses them',
  async (t) => {
    t.timeout(600_000);
    const stack = await startStack(t, { own: true });
    await delayCommits(stack);
    await removeAccountLock(stack);
    const { mirrors, stored, refusals } = await mirrorWhileWriting(t, stack, 400);
    const lost = mirrors.map((mirror) => differences(mirror, stored));
    // The trigger refuses rows that lack the account's own stamp.
    t.true(Math.max(...lost) > 0 || refusals.has(500), `lost ${lost.join(' and ')}; seed ${seed}`);
  },
);
