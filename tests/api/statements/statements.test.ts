import test, { type ExecutionContext } from 'ava';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { makeArea, makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { createTokenIssuer } from '../oauth-tokens/token-issuer.ts';
import { recordStatements } from './record-statements.ts';

const record = recordStatements();

const stack = await startStack(test, { own: true });

const accountTables = /\btasks"?\."?(task|project|section|area|account_feed|feed_entry|kept_answer)\b/;

/** How MikroORM names the table it loads entities from. */
const hydratingRead = /"[a-z]\d"\./;

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

test.serial('a list page is one statement, and no read hydrates an entity', async (t) => {
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
    t.notRegex(page ?? '', hydratingRead, path);
    t.deepEqual(further, [], path);
  }
});

test.serial('whose an access token is, and whether it still counts, is one statement', async (t) => {
  const { account, token } = await stack.newClient();
  const issuer = await createTokenIssuer(stack);
  const exchanged = { accountId: account.accountId, grantId: token.tokenId, clientId: 'personal-token' };
  const tokens = {
    'auth.oauth_grant_access': await issuer.issue(await issuer.connectApp(account)),
    'auth.api_token_access': await issuer.issue(exchanged, { claims: { credential_version: 1 } }),
  };
  for (const [view, accessToken] of Object.entries(tokens)) {
    const client = stack.client(accessToken);
    // This one also reads the key that signed.
    await client.post('/tasks', { title: 'Plant the tree' });
    for (const path of ['/me', '/me']) {
      const [authentication, ...further] = await statementsOf(() => client.get(path));
      t.true(authentication?.includes(view), view);
      t.deepEqual(further, [], path);
    }
  }
});

test.serial('a read of one resource is one statement without entities', async (t) => {
  const client = await stack.newClient();
  const { area, project, task } = await fill(client);
  for (const path of [`/tasks/${task.id}`, `/projects/${project.id}`, `/areas/${area.id}`]) {
    const [, read, ...further] = await statementsOf(() => client.get(path));
    t.notRegex(read ?? '', hydratingRead, path);
    t.deepEqual(further, [], path);
  }
});

test.serial('a key costs a write two statements: one looks for its answer, one keeps it', async (t) => {
  const client = await stack.newClient();
  const keyed = client.with({ 'Idempotency-Key': 'once' });
  // The account's first write also makes its feed.
  await makeTask(client);
  const plain = await statementsOf(() => client.post('/tasks', { title: 'x' }));
  const [first, again] = [
    await statementsOf(() => keyed.post('/tasks', { title: 'x' })),
    await statementsOf(() => keyed.post('/tasks', { title: 'x' })),
  ];
  const ofKeys = (statements: readonly string[]) =>
    statements.filter((statement) => statement.includes('tasks.kept_answer'));
  t.deepEqual(ofKeys(plain), []);
  t.is(ofKeys(first).length, 2);
  t.is(first.length, plain.length + 2);
  t.is(ofKeys(again).length, 1);
  t.true(again.length < plain.length);
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
    t.true(onAccountData.length > 50, 'the writes were seen');
    for (const statement of onAccountData) assertNamesAccount(t, statement);
    for (const [index, statement] of statements.entries()) {
      if (/^begin/i.test(statement)) t.regex(statements[index + 1] ?? '', /tasks\.open_write/);
    }
  },
);

function assertNamesAccount(t: ExecutionContext, statement: string): void {
  const tables = statement.match(new RegExp(accountTables, 'g')) ?? [];
  const mentions = statement.match(/account_id"?\s*(=|,|in\b)/g) ?? [];
  t.true(mentions.length > 0 && mentions.length >= tables.length, statement);
}
