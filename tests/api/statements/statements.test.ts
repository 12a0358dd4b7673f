import test, { type ExecutionContext } from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { recordStatements } from './record-statements.ts';

const record = recordStatements();

const stack = await startStack(test, { own: true });

const accountTables = /\btasks"?\."?(task|project|section|area|account_feed|feed_entry|kept_answer)\b/;

async function statementsOf(request: () => Promise<{ status: number }>): Promise<string[]> {
  record.take();
  const { status } = await request();
  if (status >= 400) throw new Error(`the request was refused: ${status}`);
  return record.take();
}

async function fill(client: ApiClient) {
  const area = await makeArea(client);
  const project = await makeProject(client, { areaId: area.id });
  const section = await makeSection(client, project.id);
  const task = await makeTask(client, { sectionId: section.id, dueDate: '2026-11-21' });
  return { area, project, section, task };
}

test.serial('a list page is one statement', async (t) => {
  const client = await stack.newClient({ plan: 'premium' });
  const { area, project } = await fill(client);
  const lists = [
    ...['inbox', 'today', 'upcoming', 'anytime', 'someday', 'logbook', 'trash', 'all'].map(
      (view) => `/tasks?view=${view}`,
    ),
    '/tasks',
    `/tasks?projectId=${project.id}&areaId=${area.id}&status=open`,
    `/projects/${project.id}/tasks?view=today`,
    '/projects',
    `/projects?areaId=${area.id}`,
    '/areas',
  ];
  for (const path of lists) {
    const [authentication, page, ...further] = await statementsOf(() => client.get(path));
    t.regex(authentication ?? '', /auth\.api_token_access/, path);
    t.regex(page ?? '', accountTables, path);
    t.deepEqual(further, [], path);
  }
});

test.serial('a poll reads the account’s last change, and the page only for what may be new', async (t) => {
  const client = await stack.newClient();
  const { area, project, task } = await fill(client);
  const statementsOfPoll = async (query: string): Promise<string[]> => {
    const [, settled, ...page] = await statementsOf(() => client.get(`/tasks?${query}`));
    t.regex(settled ?? '', /tasks\.settled_changes/, query);
    return page;
  };
  t.is((await statementsOfPoll(`view=all&updatedSince=${task.updatedAt}`)).length, 1);
  const since = 'updatedSince=2999-01-01T00:00:00Z';
  t.deepEqual(await statementsOfPoll(`view=all&${since}`), []);
  // Whether the project or the area exists is still to be found out.
  t.is((await statementsOfPoll(`projectId=${project.id}&${since}`)).length, 1);
  t.is((await statementsOfPoll(`areaId=${area.id}&${since}`)).length, 1);
});

test.serial('a read of one resource is one statement', async (t) => {
  const client = await stack.newClient();
  const { area, project, task } = await fill(client);
  for (const path of [`/tasks/${task.id}`, `/projects/${project.id}`, `/areas/${area.id}`]) {
    const [, , ...further] = await statementsOf(() => client.get(path));
    t.deepEqual(further, [], path);
  }
});

/** Writes of every kind; what they are is not the point here, their statements are. */
async function writeEverything(client: AccountClient): Promise<void> {
  const { area, project, section, task } = await fill(client);
  await client.with({ 'Idempotency-Key': 'once' }).post('/tasks', { title: 'once' });
  const repeating = await makeTask(client, { recurrence: { frequency: 'daily' }, projectId: project.id });
  await client.patch<Task>(`/tasks/${task.id}`, { title: 'new', checklist: [{ title: 'item' }] });
  await client.post(`/tasks/${task.id}/move`, { projectId: project.id });
  for (const name of ['complete', 'uncomplete', 'cancel', 'uncancel'])
    await client.post(`/tasks/${task.id}/${name}`);
  await client.post(`/tasks/${repeating.id}/complete`);
  await client.delete(`/tasks/${task.id}`);
  await client.post(`/tasks/${task.id}/restore`);
  await client.patch(`/projects/${project.id}`, { title: 'new', areaId: null });
  await client.patch(`/projects/${project.id}/sections/${section.id}`, { position: 0 });
  await client.delete(`/projects/${project.id}/sections/${section.id}`);
  await client.post(`/projects/${project.id}/complete`, { completeChildTasks: true });
  await client.post(`/projects/${project.id}/uncomplete`);
  await client.delete(`/projects/${project.id}`);
  await client.patch(`/areas/${area.id}`, { title: 'new' });
  await client.delete(`/areas/${area.id}`);
}

test.serial(
  'every statement on account data names the account, and every write takes its lock first',
  async (t) => {
    const client = await stack.newClient({ plan: 'premium' });
    record.take();
    await writeEverything(client);
    const statements = record.take();
    const onAccountData = statements.filter((statement) => accountTables.test(statement));
    t.true(onAccountData.length > 40, 'the writes were seen');
    for (const statement of onAccountData) assertNamesAccount(t, statement);
    for (const [index, statement] of statements.entries()) {
      if (/^begin/i.test(statement)) t.regex(statements[index + 1] ?? '', /tasks\.start_write/);
    }
  },
);

function assertNamesAccount(t: ExecutionContext, statement: string): void {
  const tables = statement.match(new RegExp(accountTables, 'g')) ?? [];
  const mentions = statement.match(/account_id"?\s*(=|,|in\b)/g) ?? [];
  t.true(mentions.length > 0 && mentions.length >= tables.length, statement);
}
