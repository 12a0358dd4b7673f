import test from 'ava';
import { restoreProject, showFeed } from '#resource-api/admin/data-admin.ts';
import { taskViews } from '#resource-api/tasks/task-views.ts';
import { exportFrom, importInto } from '#tests/account-file/transfer.ts';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { Page, Project } from '#tests/support/api-types.ts';
import { connectSql, type Sql, type SqlConnection } from '#tests/support/connect-sql.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { makeIds, operations, send } from '../api/matrix/request-fixtures.ts';

const partitionCount = 8;

/**
 * Makes every table of account data one that is partitioned by hash of its `account_id`, from what the
 * catalog says of it: columns, checks, keys, indexes, storage, rights, and the views on it. The tables have
 * to be empty. Answers their names.
 */
async function partitionTables({ sql, run }: Pick<SqlConnection, 'sql' | 'run'>): Promise<string[]> {
  const tables = await sql<{ name: string; storage: string | null }>`
    select relname as name, array_to_string(reloptions, ', ') as storage from pg_class
    where relnamespace = 'tasks'::regnamespace and relkind = 'r'
      and exists (select from pg_attribute where attrelid = pg_class.oid and attname = 'account_id')
    order by name`;
  const statements = [...tableStatements(tables), ...(await laterStatements(sql))];
  // Sent together, they are one transaction.
  await run(statements.join(';\n'));
  // Of this session what it has just done is reported before it is forgotten.
  await run('select pg_stat_force_next_flush()');
  await run('select pg_stat_reset()');
  return tables.map(({ name }) => name);
}

function tableStatements(tables: readonly { name: string; storage: string | null }[]): string[] {
  return [
    'create schema ordinary',
    ...tables.map(({ name }) => `alter table tasks.${name} set schema ordinary`),
    ...tables.flatMap(({ name, storage }) => [
      `create table tasks.${name} (like ordinary.${name} including all) partition by hash (account_id)`,
      ...Array.from(
        { length: partitionCount },
        (_, remainder) =>
          `create table tasks.${partitionName(name, remainder)} partition of tasks.${name}
           for values with (modulus ${partitionCount}, remainder ${remainder})
           ${storage ? `with (${storage})` : ''}`,
      ),
    ]),
    // Takes the views along, which the tables drag into it.
    'drop schema ordinary cascade',
  ];
}

/** What goes between the tables, and what is made of all. To be read while the ordinary ones are there. */
async function laterStatements(sql: Sql): Promise<string[]> {
  const rows = await sql<{ statement: string }>`
    select format('alter table %s add constraint %I %s', conrelid::regclass, conname,
      pg_get_constraintdef(oid)) as statement, 1 as turn
    from pg_constraint where connamespace = 'tasks'::regnamespace and contype = 'f'
    union all
    select format('create view tasks.%I as %s', viewname, trim(trailing ';' from definition)), 2
    from pg_views where schemaname = 'tasks'
    union all
    select distinct format('grant %s on tasks.%I to %I', privilege_type, table_name, grantee), 3
    from information_schema.role_table_grants where table_schema = 'tasks' and grantee <> current_user
    union all
    select pg_get_triggerdef(pg_trigger.oid), 4 from pg_trigger join pg_class on pg_class.oid = tgrelid
    where relnamespace = 'tasks'::regnamespace and not tgisinternal
    order by turn`;
  return rows.map(({ statement }) => statement);
}

/** The partition that holds this account's rows, the same number in every table. */
async function partitionOf(sql: Sql, accountId: string): Promise<number> {
  const [partition] = await sql<{ number: number }>`
    select number from generate_series(0, ${partitionCount - 1}::integer) number
    where satisfies_hash_partition('tasks.task'::regclass, ${partitionCount}::integer,
      number, ${accountId}::uuid)`;
  if (partition === undefined) throw new Error('the tables are not partitioned');
  return partition.number;
}

function partitionName(table: string, number: number): string {
  return `${table}_partition_${number}`;
}

/** The partitions that were read or written since they were made. */
async function touchedPartitions(sql: Sql): Promise<{ table: string; number: number }[]> {
  return sql<{ table: string; number: number }>`
    select parent.relname as table, split_part(part.relname, '_partition_', 2)::int as number
    from pg_stat_user_tables part join pg_inherits on inhrelid = part.relid
    join pg_class parent on parent.oid = inhparent
    where part.schemaname = 'tasks'
      and part.seq_scan + coalesce(part.idx_scan, 0) + part.n_tup_ins + part.n_tup_upd + part.n_tup_del > 0`;
}

/*
 * Every statement on account data is for the partition of its account: the service runs over tables
 * partitioned by account, whose other partitions PostgreSQL must never have read or written.
 */

/** Those of which some statement is for many accounts at once: sweeps, and the last uses of tokens. */
const sharedTables = ['kept_answer', 'change_history', 'token_use'];

const database = await createFreshDatabase({ migrated: true });
const connection = connectSql(database.url);
const tables = await partitionTables(connection);
const stack = await startStack(undefined, { databaseUrl: database.url });
const client = await stack.newClient({ plan: 'premium' });
const { accountId } = client.account;
const own = await partitionOf(stack.sql, accountId);
const ids = await makeIds(client);
await makeTask(client, { sectionId: ids.section, dueDate: '2026-11-21' });

test.after.always(async () => {
  await stack.close();
  await connection.close();
  await database.drop();
});

for (const operation of operations) {
  test.serial(`${operation.operationId} is for one partition`, async (t) => {
    const concerned = operation.scope === 'read' ? ids : await makeIds(client);
    t.is((await send(client, operation, concerned)).status, operation.success.status);
  });
}

test.serial('two pages of every list are for one partition', async (t) => {
  const { project, area } = ids;
  const since = 'updatedSince=2000-01-01T00:00:00Z';
  const lists = [
    ...taskViews.map((view) => `/tasks?view=${view}`),
    ...[`/tasks?projectId=${project}`, `/tasks?areaId=${area}&status=open`],
    ...[`/tasks?view=all&${since}`, `/tasks?areaId=${area}&${since}`],
    ...[`/projects/${project}/tasks?status=open`, '/projects?status=active', `/projects?areaId=${area}`],
  ];
  for (const list of lists) {
    const { status, body } = await client.get<Page<unknown>>(`${list}&limit=1`);
    t.is(status, 200, list);
    if (body.nextCursor) await client.get(`${list}&limit=1&cursor=${body.nextCursor}`);
  }
});

test.serial('repeating tasks, idempotency keys and restored tasks are for one partition', async (t) => {
  const task = await makeTask(client, { dueDate: '2026-11-21', recurrence: { frequency: 'daily' } });
  t.is((await client.post(`/tasks/${task.id}/complete`)).status, 200);
  const keyed = client.with({ 'Idempotency-Key': 'once' });
  for (let count = 0; count < 2; count += 1)
    t.is((await keyed.post('/tasks', { title: 'once' })).status, 201);
  await client.delete(`/tasks/${task.id}`);
  t.is((await client.post(`/tasks/${task.id}/restore`)).status, 200);
});

test.serial('the history of changes and their undo are for one partition', async (t) => {
  const browser = await (await createWebApps(stack)).open({ account: client.account });
  const { projectId } = await makeTask(client, { projectId: (await makeProject(client)).id });
  const { updatedAt } = (await client.post<Project>(`/projects/${projectId}/complete`)).body;
  t.is((await browser.app.get('/activity')).status, 200);
  t.is((await browser.app.get(`/activity?entity=project&id=${projectId}`)).status, 200);
  t.is((await browser.app.post('/undo', { stamps: [updatedAt] })).status, 200);
});

test.serial('an export, and an import into an empty account, are for one partition', async (t) => {
  const apps = await createWebApps(stack);
  let account = await stack.createAccount({ plan: 'premium' });
  while ((await partitionOf(stack.sql, account.accountId)) !== own)
    account = await stack.createAccount({ plan: 'premium' });
  const [source, target] = [await apps.open({ account: client.account }), await apps.open({ account })];
  const file = await exportFrom(stack, source);
  t.is((await importInto(stack, target, file)).phase, 'done');
});

test.serial('the operator’s commands are for one partition', async (t) => {
  const { id: projectId } = await makeProject(client);
  await makeTask(client, { projectId });
  await client.delete(`/projects/${projectId}`);
  await restoreProject(database.url, { accountId, projectId });
  await showFeed(database.url, { accountId, since: 0 });
  t.pass();
});

test.serial('all of this touched every table, and of each the account’s partition alone', async (t) => {
  // A session reports what it has touched at its end at the latest.
  await stack.close();
  await waitFor(async () => (await sessions()) === 1, { what: 'the end of the other sessions' });
  const touched = await touchedPartitions(connection.sql);
  t.deepEqual([...new Set(touched.map(({ table }) => table))].toSorted(), tables);
  t.deepEqual(
    touched.filter(({ table, number }) => number !== own && !sharedTables.includes(table)),
    [],
  );
});

async function sessions(): Promise<number> {
  const found = await connection.sql`select from pg_stat_activity where datname = current_database()`;
  return found.length;
}
