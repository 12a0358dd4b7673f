import { setTimeout as delay } from 'node:timers/promises';
import { createPollingMirror, type PollingMirror, walk } from '#tests/api/sync/polling-mirror.ts';
import { pickFrom, seededRandom, tryChange } from '#tests/app/random-change.ts';
import { readStoredRows } from '#tests/app/stored-rows.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { connectSql, type Sql } from '#tests/support/connect-sql.ts';
import { createTestAccounts, type TestAccount } from '#tests/support/test-accounts.ts';
import { type Cluster, startCluster } from '../cluster.ts';
import { openRotatingClient } from '../rotating-client.ts';
import type { Scenario } from '../scenario.ts';

const wantedChanges = 100_000;
const accounts = 4;
const writersEach = 8;
const writesPerLook = 500;
const writingMilliseconds = 25 * 60_000;

type Mirrored = { account: TestAccount; mirrors: PollingMirror[]; reader: ApiClient };
type Run = { seed: number; isWriting: boolean; unanswered: number; refusals: Set<number> };

export const mirrorUnderFaults: Scenario = {
  id: 'mirror-under-faults',
  fault:
    `pollers against ${writersEach} writers of each account, ` +
    'commits held up to 20 ms, a replica killed half-way',
  goal: `a copy kept by polling alone equals the account after ${wantedChanges} changes: lost 0`,
  async run(report) {
    await using cluster = await startCluster({
      services: ['resource-api'],
      // A busy machine is no unavailable database.
      environment: { DATABASE_WAIT_MILLISECONDS: '20000' },
    });
    const connection = connectSql(cluster.database.url);
    const { sql } = connection;
    const run: Run = { seed: Date.now() % 1_000_000, isWriting: true, unanswered: 0, refusals: new Set() };
    try {
      await holdUpCommits(sql);
      const mirrored = await Promise.all(Array.from({ length: accounts }, () => openAccount(cluster, sql)));
      const polling = mirrored.flatMap(({ mirrors }) => mirrors.map((mirror) => pollWhile(run, mirror)));
      const writing = mirrored.flatMap(({ account }, index) =>
        write(cluster, sql, account, run, 100 * index),
      );
      await untilWritten(cluster, sql, run, report);
      run.isWriting = false;
      await Promise.all([...writing, ...polling]);
      const faults = await Promise.all(mirrored.map(compare));
      const lost = faults.reduce((sum, count) => sum + count, 0);
      const changes = await countChanges(sql);
      const gaps = await countGaps(sql);
      const strange = [...run.refusals].filter((status) => ![400, 404, 409].includes(status));
      return {
        clientsSaw:
          `refusals ${[...run.refusals].join(', ')}; ` +
          `${run.unanswered} without an answer while a replica was killed`,
        lost: lost === 0 ? 'nothing' : `${lost} changes`,
        healthyAfter: 'at once: the other replica answers',
        misses: [
          ...(lost > 0 ? [`${lost} tasks of the copies differ`] : []),
          ...(gaps > 0 ? [`the feed has ${gaps} gaps`] : []),
          ...strange.map((status) => `a writer was answered ${status}`),
          ...(changes < wantedChanges ? [`only ${changes} changes in the time given`] : []),
        ],
      };
    } finally {
      run.isWriting = false;
      await connection.close();
    }
  },
};

/** Between the stamp of a write and its commit. */
async function holdUpCommits(sql: Sql): Promise<void> {
  await sql`create function tasks.dawdle() returns trigger language plpgsql as $$
    begin
      if random() < 0.1 then perform pg_sleep(random() * 0.02); end if;
      return null;
    end $$`;
  await sql`create constraint trigger dawdle after insert or update on tasks.task
    deferrable initially deferred for each row execute function tasks.dawdle()`;
}

/** Pollers go to the replica that is not killed, as a client of a balancer would. */
async function openAccount(cluster: Cluster, sql: Sql): Promise<Mirrored> {
  const account = await createTestAccounts(sql).createAccount({ plan: 'premium' });
  const reader = openRotatingClient(cluster.apiUrls[0] ?? '', sql, account);
  const mirrors = (['greatest-seen', 'poll-start'] as const).map((resumeFrom) =>
    createPollingMirror(reader, resumeFrom),
  );
  return { account, mirrors, reader };
}

async function pollWhile(run: Run, mirror: PollingMirror): Promise<void> {
  while (run.isWriting) await mirror.poll();
}

function write(cluster: Cluster, sql: Sql, account: TestAccount, run: Run, offset: number): Promise<void>[] {
  const random = seededRandom(run.seed + offset);
  let pick = pickFrom(new Map(), random);
  let written = 0;
  return Array.from({ length: writersEach }, async (_, writer) => {
    const client = openRotatingClient(cluster.apiUrls[writer % cluster.apiUrls.length] ?? '', sql, account);
    while (run.isWriting) {
      try {
        written += 1;
        if (written % writesPerLook === 0)
          pick = pickFrom(await readStoredRows(sql, account.accountId), random);
        const status = (await tryChange(client, pick, random)) ?? 0;
        if (status >= 400) run.refusals.add(status);
      } catch {
        run.unanswered += 1;
        // After a request to a dead replica, waits briefly before the next try.
        await delay(100);
      }
    }
  });
}

/** Half-way one of the replicas is killed and started again. */
async function untilWritten(
  cluster: Cluster,
  sql: Sql,
  run: Run,
  report: (line: string) => void,
): Promise<void> {
  const started = performance.now();
  const isOver = (share: number, changes: number) =>
    changes >= share * wantedChanges || performance.now() - started > share * writingMilliseconds;
  let isKilled = false;
  for (;;) {
    const changes = await countChanges(sql);
    report(`${changes} changes, ${run.unanswered} without an answer`);
    if (!isKilled && isOver(0.5, changes)) {
      isKilled = true;
      await cluster.replicas['resource-api'][1]?.end('SIGKILL');
      await cluster.replicas['resource-api'][1]?.start();
    }
    if (isOver(1, changes)) return;
    await delay(10_000);
  }
}

async function compare({ mirrors, reader }: Mirrored): Promise<number> {
  for (const mirror of mirrors) await mirror.poll();
  const stored: Task[] = [];
  for await (const task of walk(reader, '/tasks?view=all&limit=200')) stored.push(task);
  return mirrors.reduce((sum, mirror) => sum + mirrorFaults(mirror.tasks(), stored), 0);
}

async function countChanges(sql: Sql): Promise<number> {
  const [row] = await sql<{ changes: string }>`select count(*) as changes from tasks.feed_entry`;
  return Number(row?.changes);
}

async function countGaps(sql: Sql): Promise<number> {
  const [row] = await sql<{ gaps: string }>`
    select count(*) filter (where sequence <> position) as gaps from (
      select sequence, row_number() over (partition by account_id order by sequence) as position
      from tasks.feed_entry) numbered`;
  return Number(row?.gaps);
}

/** Number of tasks that are missing, extra or different in the copies. */
function mirrorFaults(copies: readonly Task[], stored: readonly Task[]): number {
  const copied = new Map(copies.map((task) => [task.id, JSON.stringify(task)]));
  const different = stored.filter((task) => copied.get(task.id) !== JSON.stringify(task)).length;
  const known = new Set(stored.map(({ id }) => id));
  return different + copies.filter(({ id }) => !known.has(id)).length;
}
