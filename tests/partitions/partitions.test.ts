import test from 'ava';
import { showFeed } from '#resource-api/admin/feed-admin.ts';
import { restoreProject } from '#resource-api/admin/project-admin.ts';
import { taskViews } from '#resource-api/tasks/task-views.ts';
import { statementShape } from '#shared/database/database-observer.ts';
import { exportFrom, importInto } from '#tests/account-file/transfer.ts';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { Page, Project } from '#tests/support/api-types.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';
import { startStack } from '#tests/support/stack.ts';
import { makeIds, operations, send } from '../api/matrix/request-fixtures.ts';
import { planReporting, recordPlans } from './executed-plans.ts';
import { partitionOf, partitionTables, readPartitionName } from './partitioned-tables.ts';

/* Every statement on account data is for the partition of its account: the service over tables partitioned by account. */

/** Statements for many accounts at once. */
const sharedStatements = [
  /\bdelete from tasks\.kept_answer\b/s,
  /\bdelete from tasks\.change_history change\b/s,
  /\binsert into tasks\.token_use\b/s,
];

const plans = recordPlans();
const database = await createFreshDatabase({ migrated: true });
const tables = await partitionDatabase(database.url);
const stack = await startStack(undefined, { databaseUrl: database.url });
const client = await stack.newClient({ plan: 'premium' });
const { accountId } = client.account;
const own = await partitionOf(stack.sql, accountId);
const ids = await makeIds(client);
await makeTask(client, { sectionId: ids.section, dueDate: '2026-11-21' });
plans.take();

test.after.always(async () => {
  await stack.close();
  await database.drop();
});

async function partitionDatabase(url: string): Promise<string[]> {
  const connection = connectSql(url);
  try {
    const partitioned = await partitionTables(connection);
    for (const [name, value] of Object.entries(planReporting))
      await connection.run(`alter database ${new URL(url).pathname.slice(1)} set ${name} = '${value}'`);
    return partitioned;
  } finally {
    await connection.close();
  }
}

const usedTables = new Set<string>();

/** The statements since the last call that were planned for partitions of other accounts, each once. */
function strays(): string[] {
  const found = plans.take().flatMap(({ statement, planned }) => {
    const partitions = planned.flatMap((name) => readPartitionName(name) ?? []);
    for (const { table } of partitions) usedTables.add(table);
    const isForeign = partitions.some(({ number }) => number !== own);
    return isForeign && !sharedStatements.some((shared) => shared.test(statement))
      ? [statementShape(statement, 400)]
      : [];
  });
  return [...new Set(found)];
}

for (const operation of operations) {
  test.serial(`${operation.operationId} is for one partition`, async (t) => {
    const concerned = operation.scope === 'read' ? ids : await makeIds(client);
    t.is((await send(client, operation, concerned)).status, operation.success.status);
    t.deepEqual(strays(), []);
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
    t.deepEqual(strays(), [], list);
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
  t.deepEqual(strays(), []);
});

test.serial('the history of changes and their undo are for one partition', async (t) => {
  const browser = await (await createWebApps(stack)).open({ account: client.account });
  const { projectId } = await makeTask(client, { projectId: (await makeProject(client)).id });
  const { updatedAt } = (await client.post<Project>(`/projects/${projectId}/complete`)).body;
  plans.take();
  t.is((await browser.app.get('/activity')).status, 200);
  t.is((await browser.app.get(`/activity?entity=project&id=${projectId}`)).status, 200);
  t.is((await browser.app.post('/undo', { stamps: [updatedAt] })).status, 200);
  t.deepEqual(strays(), []);
});

test.serial('an export, and an import into an empty account, are for one partition', async (t) => {
  const apps = await createWebApps(stack);
  let account = await stack.createAccount({ plan: 'premium' });
  while ((await partitionOf(stack.sql, account.accountId)) !== own)
    account = await stack.createAccount({ plan: 'premium' });
  const [source, target] = [await apps.open({ account: client.account }), await apps.open({ account })];
  plans.take();
  const file = await exportFrom(stack, source);
  t.deepEqual(strays(), []);
  t.is((await importInto(stack, target, file)).phase, 'done');
  t.deepEqual(strays(), []);
});

test.serial('the operator’s commands are for one partition, and every table has been used', async (t) => {
  const { id: projectId } = await makeProject(client);
  await makeTask(client, { projectId });
  await client.delete(`/projects/${projectId}`);
  await restoreProject(database.url, { accountId, projectId });
  await showFeed(database.url, { accountId, since: 0 });
  t.deepEqual(strays(), []);
  // Last uses of tokens are written by a timer.
  usedTables.add('token_use');
  t.deepEqual([...usedTables].toSorted(), tables);
});
