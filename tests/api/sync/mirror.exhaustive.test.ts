import test, { type ExecutionContext } from 'ava';
import { pickFrom, seededRandom, tryChange } from '#tests/app/random-change.ts';
import { readStoredRows } from '#tests/app/stored-rows.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeTask } from '#tests/support/factories.ts';
import { type Stack, startStack } from '#tests/support/stack.ts';
import { createPollingMirror, type PollingMirror, walk } from './polling-mirror.ts';

const writers = 8;
/** More than a page, and so many that most changes are the last of their task. */
const tasks = 300;
const writes = Number(process.env.MIRROR_WRITES ?? 1_000);
/** What is picked may be gone by then: writers get in each other's way. */
const writesPerLook = 20;
const seed = Number(process.env.MIRROR_SEED ?? Date.now() % 1_000_000);

/** Commits of the account's tasks are held up at random, between the stamp and the end of the transaction. */
async function delayCommits(stack: Stack): Promise<void> {
  await stack.sql`create function tasks.dawdle() returns trigger language plpgsql as $$
    begin
      if random() < 0.5 then perform pg_sleep(random() * 0.04); end if;
      return null;
    end $$`;
  await stack.sql`create constraint trigger dawdle after insert or update on tasks.task
    deferrable initially deferred for each row execute function tasks.dawdle()`;
}

type Run = { mirrors: PollingMirror[]; stored: Task[]; accepted: number; refusals: Set<number> };

/**
 * Random writes by 8 clients of one account, while two mirrors poll it; then one last poll each. Writers
 * and mirrors are spread over two replicas: within one process an account's writes take turns anyway.
 */
async function mirrorWhileWriting(t: ExecutionContext, stack: Stack): Promise<Run> {
  const client = await stack.newClient({ plan: 'premium' });
  for (let left = tasks; left > 0; left -= 1) await makeTask(client);
  const replica = await startStack(t, { databaseUrl: stack.databaseUrl });
  const clients = [client, replica.client(client.token)];
  const mirrors = clients.map((each, index) =>
    createPollingMirror(each, index === 0 ? 'greatest-seen' : 'poll-start'),
  );
  const refusals = new Set<number>();
  let accepted = 0;
  const random = seededRandom(seed);
  const look = async () => pickFrom(await readStoredRows(stack.sql, client.account.accountId), random);
  let pick = await look();
  let left = writes;
  const write = async (_: unknown, writer: number): Promise<void> => {
    while (left-- > 0) {
      if (left % writesPerLook === 0) pick = await look();
      const status = (await tryChange(clients[writer % 2] ?? client, pick, random)) ?? 0;
      if (status >= 400) refusals.add(status);
      else if (status >= 200) accepted += 1;
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
  return { mirrors, stored, accepted, refusals };
}

test.serial('a mirror built by polling alone equals the account after random writes of 8', async (t) => {
  t.timeout(600_000);
  const stack = await startStack(t, { own: true });
  await delayCommits(stack);
  const run = await mirrorWhileWriting(t, stack);
  for (const status of run.refusals)
    t.true([400, 404, 409].includes(status), `a writer was answered ${status}`);
  t.true(run.accepted > writes / 4, `the writers wrote ${run.accepted} times`);
  for (const mirror of run.mirrors) t.deepEqual(mirror.tasks(), run.stored, `seed ${seed}`);
  const rows = await stack.sql<{ gaps: string }>`
    select count(*) filter (where sequence <> position) as gaps from (
      select sequence, row_number() over (partition by account_id order by sequence) as position
      from tasks.feed_entry
    ) numbered`;
  t.is(Number(rows[0]?.gaps), 0, 'the feed has no gap');
});
