import { randomUUID } from 'node:crypto';
import test from 'ava';
import { connectAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { findLastUses } from '#auth-server/token-use/token-use-repository.ts';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepRecords } from '#resource-api/idempotency/idempotency-repository.ts';
import { statementShape } from '#shared/database/database-observer.ts';
import { systemClock } from '#shared/time/clock.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeTask } from '#tests/support/factories.ts';
import { makeIds } from '../api/matrix/request-fixtures.ts';
import { furnishDesk } from '../assistant/desk.ts';
import { oneCallOfEach } from '../assistant/every-tool.ts';
import { listAskings, operate, operationAskings, writeAskings } from './everything-asked.ts';
import { type Stray, startPartitionedService } from './partitioned-service.ts';
import { partitionCount, partitionOf, readPartitionName } from './partitioned-tables.ts';

/** Tables of the schema that stay whole. */
const sharedTables = {
  cursor_key: 'one row, which seals the cursors of all accounts',
  schema_migration: 'which migrations have been applied',
};

/** Statements that are run for more accounts than one. */
const sharedStatements = {
  'the sweep of kept answers': /^with old as .*\bdelete from tasks\.kept_answer\b/s,
  'the last uses of all tokens, noted together': /^with used as .*\binsert into tasks\.token_use\b/s,
};

const service = await startPartitionedService();
const { stack, watch } = service;
const owner = await stack.newClient({ plan: 'premium' });
const ids = await makeIds(owner);
await makeTask(owner, { sectionId: ids.section, dueDate: '2026-11-21' });
const free = await stack.newClient({ plan: 'free' });
const accountIds = [owner.account.accountId, free.account.accountId];

test.after.always(() => service.close());

test.serial('a partitioned schema differs from the ordinary one in nothing else', async (t) => {
  const { ordinary, partitioned } = service.schema;
  t.true(ordinary.length > 100);
  t.deepEqual([...new Set(ordinary).symmetricDifference(new Set(partitioned))], []);
  const whole = await stack.sql<{ name: string }>`select relname as name from pg_class
    where relnamespace = 'tasks'::regnamespace and relkind = 'r' and not relispartition order by name`;
  t.deepEqual(
    whole.map(({ name }) => name),
    Object.keys(sharedTables),
  );
});

for (const [what, askings] of Object.entries({
  'every operation': operationAskings(ids),
  'every list, narrowed down and turned over,': listAskings(ids),
  'every further kind of write': writeAskings,
})) {
  test.serial(`${what} is answered from partitioned tables as from ordinary ones`, async (t) => {
    for (const { title, expected, ask } of askings)
      t.is(await watch(title, owner.account.accountId, () => ask(owner)), expected, title);
  });
}

test.serial(
  'the counts of the free plan and the operator’s commands work on partitioned tables',
  async (t) => {
    const { accountId } = free.account;
    await t.notThrowsAsync(watch('the free plan', accountId, () => makeIds(free)));
    await t.notThrowsAsync(watch('the operator', accountId, () => operate(free, stack.databaseUrl)));
  },
);

test.serial('the assistant’s tools work on partitioned tables', async (t) => {
  const desk = await furnishDesk(stack);
  t.teardown(desk.assistant.close);
  const { accountId } = desk.api.account;
  accountIds.push(accountId);
  for (const { tool, input } of oneCallOfEach(desk)) {
    const { isError, text } = await watch(tool, accountId, () => desk.assistant.call(tool, input));
    t.false(isError, `${tool}: ${text}`);
  }
});

test.serial('PostgreSQL counts no access to a partition of other accounts', async (t) => {
  const own = await Promise.all(accountIds.map((accountId) => partitionOf(stack.sql, accountId)));
  const counted = await service.countedPartitions();
  t.true(counted.length > 0);
  const foreign = counted.filter((name) => !own.includes(readPartitionName(name)?.number ?? -1));
  t.deepEqual(
    foreign.filter((name) => readPartitionName(name)?.table !== 'token_use'),
    [],
  );
});

test.serial('auth-server reads from partitioned tables when tokens were last used', async (t) => {
  const { accountId, tokenId } = owner.token;
  const connection = { applicationName: 'auth-server', poolSize: 1, waitMilliseconds: 20_000 };
  const orm = await connectAuthDatabase({ url: stack.databaseUrl, ...connection });
  t.teardown(() => orm.close(true));
  const uses = await watch('auth-server', accountId, () => findLastUses(orm.em.fork(), accountId, [tokenId]));
  t.true(uses.has(tokenId));
});

test.serial(
  'every statement is for the partition of its account, but for those of many accounts',
  async (t) => {
    await watch('the sweep', undefined, () => sweep(stack.databaseUrl));
    t.deepEqual(service.usedTables(), service.tables);
    t.deepEqual(service.unseenStatements(), []);
    const { strays } = service;
    t.deepEqual(describe(strays.filter((stray) => !isOneOf(sharedStatements, stray))), []);
    for (const [name, pattern] of Object.entries(sharedStatements))
      t.true(
        strays.some(({ statement }) => pattern.test(statement)),
        `${name} is for one partition alone`,
      );
  },
);

test.serial('a statement that does not name the account is noticed', async (t) => {
  const { sql, close } = connectSql(stack.databaseUrl);
  t.teardown(close);
  await watch('a look-up', undefined, () => sql`select title from tasks.task where id = ${randomUUID()}`);
  t.is(service.strays.at(-1)?.used.length, partitionCount);
});

async function sweep(databaseUrl: string): Promise<void> {
  const database = openTasksDatabase({ url: databaseUrl, poolSize: 1, waitMilliseconds: 20_000 });
  try {
    await sweepRecords(database, systemClock);
  } finally {
    await database.close();
  }
}

function isOneOf(kinds: Readonly<Record<string, RegExp>>, { statement }: Stray): boolean {
  return Object.values(kinds).some((pattern) => pattern.test(statement));
}

/** Each statement once, whatever its values are. */
function describe(strays: readonly Stray[]): string[] {
  const lines = strays.map(({ during, statement, planned, used }) => {
    const shape = statementShape(statement, 400);
    const [outcome, partitions] = used.length === 0 ? ['is planned for', planned] : ['uses', used];
    return [shape, `${during}: ${shape} ${outcome} ${partitions.join(', ')}`] as const;
  });
  return [...new Map(lines).values()];
}
