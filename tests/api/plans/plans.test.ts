import test, { type ExecutionContext } from 'ava';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { measureStorage } from '#resource-api/plans/measure-storage.ts';
import { keyed } from '#tests/api/idempotency/keyed-requests.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Identity, Page, Problem, Project, Task } from '#tests/support/api-types.ts';
import { makeProject, makeTask } from '#tests/support/factories.ts';
import { type AccountClient, type Stack, startStack } from '#tests/support/stack.ts';

// Closed below: once a hook is declared, ava does not wait for what this file prepares.
const stack = await startStack(undefined);
const small = await startStack(undefined, { environment: { ACCOUNT_STORAGE_MEGABYTES: '1' } });
test.after.always(() => Promise.all([stack.close(), small.close()]));

const deadlineDate = '2027-01-01';

const premiumRequired = { status: 403, body: { errorType: 'plan_limit', errorCode: 'premium_required' } };

for (const path of ['/projects', '/tasks']) {
  test(`a free account sets no deadline in ${path}, but keeps, resends and clears an old one`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    const item = `${path}/${(await api.post<Project>(path, { title: 'Dated', deadlineDate })).body.id}`;
    await stack.setPlan(api.account, 'free');
    const refused = await api.post<Problem>(path, { title: 'Dated', deadlineDate });
    t.like(refused, premiumRequired);
    t.regex(refused.body.message, /Premium/);
    const patched = async (patch: object) => (await api.patch<Project>(item, patch)).body.deadlineDate;
    t.is(await patched({ title: 'Kept' }), deadlineDate);
    t.is(await patched({ title: 'Sent again', deadlineDate }), deadlineDate);
    const before = (await api.get<Project>(item)).body;
    const another = { title: 'Other', deadlineDate: '2027-01-02' };
    t.like(await api.patch<Problem>(item, another), premiumRequired);
    t.deepEqual((await api.get<Project>(item)).body, before);
    t.is(await patched({ deadlineDate: null }), null);
    t.like(await api.patch<Problem>(item, { deadlineDate }), premiumRequired);
  });
}

const caps = [
  { path: '/projects', cap: 5, errorCode: 'project_limit_reached' },
  { path: '/areas', cap: 2, errorCode: 'area_limit_reached' },
] as const;

const create = (api: ApiClient, path = '/projects') => api.post<Problem>(path, { title: 'One more' });

async function makeProjects(api: ApiClient, count: number): Promise<Project[]> {
  const projects: Project[] = [];
  while (projects.length < count) projects.push(await makeProject(api));
  return projects;
}

for (const { path, cap, errorCode } of caps) {
  const idsIn = async (api: ApiClient) =>
    (await api.get<Page<{ id: string }>>(path)).body.items.map(({ id }) => id);

  test(`of 50 parallel creations a free account keeps ${cap} ${path}; refusals name the limit`, async (t) => {
    const [api, other] = [await stack.newClient(), await stack.newClient()];
    const answers = await Promise.all(Array.from({ length: 50 }, () => create(api, path)));
    const refused = answers.filter(({ status }) => status !== 201);
    t.is(refused.length, 50 - cap);
    for (const answer of refused) {
      t.like(answer, { status: 403, body: { errorType: 'plan_limit', errorCode } });
      t.regex(answer.body.message, new RegExp(`\\b${cap}\\b`));
    }
    const kept = await idsIn(api);
    t.is(kept.length, cap);
    t.is((await create(other, path)).status, 201);
    await api.delete(`${path}/${kept[0]}`);
    t.deepEqual([(await create(api, path)).status, (await create(api, path)).status], [201, 403]);
  });

  test(`Premium lifts the cap of ${path}, and what is beyond it outlives Premium`, async (t) => {
    const api = await stack.newClient({ plan: 'premium' });
    while ((await idsIn(api)).length < cap + 2) await create(api, path);
    const [first, ...others] = await idsIn(api);
    await stack.setPlan(api.account, 'free');
    t.is((await create(api, path)).status, 403);
    t.is((await api.patch(`${path}/${first}`, { title: 'Still mine' })).status, 200);
    t.is((await api.delete(`${path}/${first}`)).status, 204);
    t.is((await create(api, path)).status, 403);
    t.deepEqual(await idsIn(api), others);
  });
}

test('completed, cancelled and trashed projects do not count', async (t) => {
  const api = await stack.newClient();
  const [completed, cancelled, trashed] = await makeProjects(api, 5);
  await api.post(`/projects/${completed?.id}/complete`);
  t.is((await create(api)).status, 201);
  await stack.sql`update tasks.project set status = 'cancelled', cancelled_at = now()
    where id = ${cancelled?.id}`;
  t.is((await create(api)).status, 201);
  await api.delete(`/projects/${trashed?.id}`);
  t.is((await create(api)).status, 201);
  t.is((await create(api)).status, 403);
});

test('/me returns the account, the token, its scopes, the timezone and the plan only', async (t) => {
  const account = await stack.createAccount({ plan: 'premium', timezone: 'America/Sao_Paulo' });
  const token = await stack.createToken(account, { name: ' Backup “script” ', scopes: ['write', 'read'] });
  const { status, body } = await stack.client(token).get<Identity>('/me');
  t.is(status, 200);
  t.deepEqual(Object.entries(body), [
    ['accountId', account.accountId],
    ['tokenId', token.tokenId],
    ['tokenName', ' Backup “script” '],
    ['scopes', ['read', 'write']],
    ['timezone', 'America/Sao_Paulo'],
    ['plan', 'premium'],
  ]);
});

test('/me works for a suspended account, and shows a changed plan at once', async (t) => {
  const api = await stack.newClient();
  t.like((await api.get<Identity>('/me')).body, { plan: 'free', timezone: 'UTC' });
  await stack.setPlan(api.account, 'premium');
  await stack.setStatus(api.account, 'suspended');
  const { status, body } = await api.get<Identity>('/me');
  t.is(status, 200);
  t.is(body.plan, 'premium');
});

const megabyteBytes = 1_024 * 1_024;

/** As it is counted, and what its rows add up to. */
async function bytesOf({ account: { accountId } }: AccountClient): Promise<[number, number]> {
  const [row] = await small.sql<{ counted: string; stored: string }>`
    select stored_bytes as counted, tasks.measure_stored_bytes(account_id) as stored
    from tasks.account_feed where account_id = ${accountId}`;
  return [Number(row?.counted), Number(row?.stored)];
}

const notes = 'Nothing but words. '.repeat(5_000);

async function fill(client: AccountClient): Promise<Task[]> {
  const made: Task[] = [];
  for (;;) {
    const { status, body } = await client.post<Task>('/tasks', { title: 'Long', description: notes });
    if (status !== 201) return made;
    made.push(body);
  }
}

test('a full account refuses writes that add bytes, with a clear error, and is unchanged', async (t) => {
  const client = await small.newClient();
  const made = await fill(client);
  t.true(made.length > 1 && made.length < 10, `${made.length} tasks of 190 kB`);
  const before = await bytesOf(client);
  for (const title of ['One more', 'And another']) {
    const refused = await client.post('/tasks', { title, description: notes });
    t.like(refused, { status: 403, body: { errorType: 'plan_limit', errorCode: 'storage_limit_reached' } });
    t.regex(String(refused.body.message), /^The account is full: it may store 1 MB\. Shorten notes/);
  }
  t.deepEqual(await bytesOf(client), before);
  t.true(before[0] <= megabyteBytes);
  const another = await small.newClient();
  t.is((await another.post('/tasks', { title: 'Elsewhere', description: notes })).status, 201);
});

test('a full account can still be tidied up, and then be written to again', async (t) => {
  const client = await small.newClient();
  const [first, second, third] = await fill(client);
  await small.sql`update tasks.account_feed set stored_bytes = ${megabyteBytes}
    where account_id = ${client.account.accountId}`;
  t.is((await client.post('/tasks', { title: 'Short' })).status, 403);
  t.is((await client.post(`/tasks/${first?.id}/complete`)).status, 200);
  t.is((await client.post(`/tasks/${second?.id}/move`, { list: 'someday' })).status, 200);
  t.is((await client.delete(`/tasks/${second?.id}`)).status, 204);
  t.is((await client.patch(`/tasks/${third?.id}`, { description: 'Short.' })).status, 200);
  t.is((await client.post('/tasks', { title: 'Short' })).status, 201);
});

test('the counted bytes are those of the rows, whatever statement changed them', async (t) => {
  const client = await small.newClient({ plan: 'premium' });
  const project = await makeProject(client, { description: '**Ä** ' });
  const task = await makeTask(client, { projectId: project.id, description: 'Water *all* plants.' });
  await client.patch(`/tasks/${task.id}`, { checklist: [{ title: 'Roses' }], description: 'Short' });
  await client.patch(`/tasks/${task.id}`, { recurrence: { frequency: 'daily' }, dueDate: '2026-11-24' });
  await keyed(client, 'once').post(`/tasks/${task.id}/complete`, {});
  await client.post(`/projects/${project.id}/sections`, { title: 'Beds' });
  await client.post('/areas', { title: 'Home' });
  await client.delete(`/projects/${project.id}`);
  const [counted, stored] = await bytesOf(client);
  t.is(counted, stored);
  t.true(counted > 3_000);
});

function measureIn(t: ExecutionContext, { databaseUrl }: Stack) {
  const database = openTasksDatabase({ url: databaseUrl, poolSize: 1, waitMilliseconds: 20_000 });
  t.is(database.timeouts.statement, 12_000);
  t.teardown(() => database.close());
  return (measured: (bytes: number) => void) =>
    measureStorage(database, { measured }, new AbortController().signal);
}

test('data from before bytes were counted is counted once, without a request’s timeout', async (t) => {
  const old = await startStack(t, { own: true });
  const client = await old.newClient();
  await makeTask(client, { title: 'Earlier' });
  await old.sql`update tasks.account_feed set stored_bytes = 0, measured_at = null`;
  await makeTask(client, { title: 'Later' });
  await old.sql`alter function tasks.measure_stored_bytes rename to measure_quickly`;
  await old.sql`create function tasks.measure_stored_bytes(account uuid) returns bigint
    language plpgsql stable as $$ begin
      if current_setting('statement_timeout')::interval <= interval '12 s' then raise query_canceled; end if;
      return tasks.measure_quickly(account);
    end $$`;
  const fullest: number[] = [];
  const measure = measureIn(t, old);
  for (let round = 0; round < 3; round += 1) await measure((bytes) => fullest.push(bytes));
  const [counted] = await old.sql`select stored_bytes, tasks.measure_quickly(account_id) as measured
    from tasks.account_feed`;
  t.is(counted?.stored_bytes, counted?.measured);
  t.is(fullest.length, 3);
  t.true(Number(fullest[0]) < Number(fullest[1]));
  t.is(fullest[1], fullest[2]);
});

test('an account that cannot be measured keeps no other', async (t) => {
  const measure = measureIn(t, small);
  const clients = [await small.newClient(), await small.newClient()];
  const ids = clients.map(({ account }) => account.accountId);
  for (const client of clients) await makeTask(client);
  for (const stuck of ids) {
    await small.sql`update tasks.account_feed set measured_at = null, stored_bytes =
      case account_id when ${stuck} then -9223372036854775808 else 0 end where account_id = any(${ids})`;
    await t.throwsAsync(measure(() => undefined));
    const unmeasured = await small.sql`select account_id from tasks.account_feed
      where account_id = any(${ids}) and measured_at is null`;
    t.deepEqual(unmeasured, [{ account_id: stuck }]);
  }
});
