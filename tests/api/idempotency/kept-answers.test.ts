import { randomUUID } from 'node:crypto';
import test, { type ExecutionContext } from 'ava';
import { restoreProject } from '#resource-api/admin/data-admin.ts';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepExpired } from '#resource-api/sweep-expired.ts';
import { answerOf, authenticationAnswers, invalid, suspended } from '#tests/api/matrix/problem-answer.ts';
import { createWebApps } from '#tests/app/web-app-client.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeProject } from '#tests/support/factories.ts';
import { type AccountClient, type OwnStack, startStack } from '#tests/support/stack.ts';
import { allTitles, isReplayed, keptAnswers, keyed } from './keyed-requests.ts';

const stack = await startStack(test, { own: true });
const { missing, refused, outOfScope } = authenticationAnswers(stack.baseUrl);

type Refusal = {
  status: number;
  /** Makes a request be refused, and answers that request and how to let it pass. */
  prepare(client: AccountClient): Promise<{ path: string; body: object; putRight(): Promise<unknown> }>;
};

const refusals: Record<string, Refusal> = {
  'the plan': {
    status: 403,
    async prepare({ account }) {
      const body = { title: 'x', deadlineDate: '2026-12-24' };
      return { path: '/tasks', body, putRight: () => stack.setPlan(account, 'premium') };
    },
  },
  'a project in the Trash': {
    status: 404,
    async prepare(client) {
      const { id: projectId } = await makeProject(client);
      await client.delete(`/projects/${projectId}`);
      const { accountId } = client.account;
      const putRight = () => restoreProject(stack.databaseUrl, { accountId, projectId });
      return { path: '/tasks', body: { title: 'x', projectId }, putRight };
    },
  },
  'a closed project': {
    status: 409,
    async prepare(client) {
      const { id: projectId } = await makeProject(client);
      await client.post(`/projects/${projectId}/complete`);
      const putRight = () => client.post(`/projects/${projectId}/uncomplete`);
      return { path: '/tasks', body: { title: 'x', projectId }, putRight };
    },
  },
  'a suspension': {
    status: 423,
    async prepare({ account }) {
      await stack.setStatus(account, 'suspended');
      return { path: '/tasks', body: { title: 'x' }, putRight: () => stack.setStatus(account, 'active') };
    },
  },
};

for (const [what, { status, prepare }] of Object.entries(refusals)) {
  test(`what ${what} refused (${status}) leaves its key free, and is done when it is repeated`, async (t) => {
    const client = await stack.newClient({ plan: 'free' });
    const { path, body, putRight } = await prepare(client);
    const once = keyed(client, 'key');
    for (let attempt = 0; attempt < 2; attempt += 1) {
      const answer = await once.post(path, body);
      t.deepEqual([answer.status, isReplayed(answer)], [status, false]);
    }
    t.is(await keptAnswers(stack, client), 0);
    await putRight();
    const done = await once.post(path, body);
    t.deepEqual([done.status, isReplayed(done)], [201, false]);
    t.true(isReplayed(await once.post(path, body)));
    t.deepEqual(await allTitles(client), ['x']);
  });
}

test('errors are not stored: token, scope, suspension and body are checked each time', async (t) => {
  const client = await stack.newClient();
  const { account, token } = client;
  const post = async (one: ApiClient, body: unknown = { title: 'once' }) =>
    answerOf(await keyed(one, 'key').post('/tasks', body));
  t.deepEqual(await post(client), { status: 201 });
  t.deepEqual(await post(client, { title: 'once', surplus: 1 }), invalid('surplus'));
  await stack.setStatus(account, 'suspended');
  t.deepEqual(await post(client), suspended);
  await stack.setStatus(account, 'active');
  t.deepEqual(await post(client), { status: 201 });
  await stack.sql`update auth.api_token set scopes = '{read}' where id = ${token.tokenId}`;
  await stack.announceChange(account.accountId);
  t.deepEqual(await post(client), outOfScope('write'));
  await stack.revokeToken(token);
  t.deepEqual(await post(client), refused);
  const owner = stack.client(await stack.createToken(account));
  t.deepEqual(await allTitles(owner), ['once']);
});

test('a malformed key comes after the token, the suspension and the body, and before the id', async (t) => {
  const client = await stack.newClient();
  const wrong = (one: ApiClient) => keyed(one, 'not a key');
  const path = `/tasks/${randomUUID()}/complete`;
  t.deepEqual(answerOf(await wrong(stack.anonymous).post(path)), missing);
  t.deepEqual(answerOf(await wrong(client).post(path, { surplus: 1 })), invalid('surplus'));
  t.deepEqual(answerOf(await wrong(client).post(path)), invalid('Idempotency-Key'));
  t.deepEqual(answerOf(await wrong(client).post('/tasks/x/complete')), invalid('Idempotency-Key'));
  await stack.setStatus(client.account, 'suspended');
  t.deepEqual(answerOf(await wrong(client).post(path)), suspended);
});

for (const table of ['task', 'kept_answer']) {
  test(`when the row in tasks.${table} fails at the commit, neither key nor task is kept`, async (t) => {
    const client = await stack.newClient();
    const database = connectSql(stack.databaseUrl);
    t.teardown(database.close);
    const { run } = database;
    // At the commit, and as when the disk is full.
    await run(`create function tasks.fail_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`);
    await run(`create constraint trigger fail after insert on tasks.${table}
      deferrable initially deferred for each row
      when (new.account_id = '${client.account.accountId}') execute function tasks.fail_${table}()`);
    const once = keyed(client, 'key');
    t.is((await once.post('/tasks', { title: 'once' })).status, 503);
    t.deepEqual(await allTitles(client), []);
    t.is(await keptAnswers(stack, client), 0);
    await run(`drop trigger fail on tasks.${table}`);
    const done = await once.post<Task>('/tasks', { title: 'once' });
    t.deepEqual([done.status, isReplayed(done)], [201, false]);
    t.deepEqual(await allTitles(client), ['once']);
  });
}

const hourMilliseconds = 3_600_000;

const dayMilliseconds = 24 * hourMilliseconds;

/** A service whose clock stands still, and its sweep, with its rights. */
async function startWorld(t: ExecutionContext) {
  const stack = await startStack(t, { now: '2026-11-20T12:00:00Z' });
  const database = openTasksDatabase({ url: stack.databaseUrl, poolSize: 4, waitMilliseconds: 20_000 });
  t.teardown(() => database.close());
  return { ...stack, database, sweep: () => sweepExpired(database, stack.clock) };
}

test('after 24 hours a key is free, swept or not', async (t) => {
  const world = await startWorld(t);
  const client = await world.newClient();
  const make = (title: string) => keyed(client, 'key').post<Task>('/tasks', { title });
  const first = await make('one');
  world.clock.advance(dayMilliseconds - 1);
  const lastReplay = await make('one');
  t.deepEqual([isReplayed(lastReplay), lastReplay.body.id], [true, first.body.id]);
  t.is((await make('two')).status, 409);

  world.clock.advance(1);
  const second = await make('two');
  t.deepEqual([second.status, isReplayed(second)], [201, false]);
  world.clock.advance(dayMilliseconds - 1);
  t.like(await world.sweep(), { kept_answer: 0 });
  t.is((await make('two')).body.id, second.body.id);

  world.clock.advance(1);
  t.like(await world.sweep(), { kept_answer: 1 });
  t.false(isReplayed(await make('two')));
  t.deepEqual(await allTitles(client), ['one', 'two', 'two']);
});

test('a browser’s repeat after weeks is not done twice; after 30 days its key is free', async (t) => {
  const world = await startWorld(t);
  const webApps = await createWebApps(world);
  const { account, ...browser } = await webApps.open();
  const make = (client: ApiClient) => keyed(client, 'key').post<Task>('/tasks', { title: 'one' });
  const first = await make(browser);
  world.clock.advance(30 * dayMilliseconds - 1);
  t.like(await world.sweep(), { kept_answer: 0 });
  const later = await webApps.open({ account });
  t.is((await make(later)).body.id, first.body.id);

  world.clock.advance(1);
  t.like(await world.sweep(), { kept_answer: 1 });
  t.false(isReplayed(await make(later)));
});

async function addAnswers({ sql, clock }: OwnStack, count: number): Promise<void> {
  await sql`with account as (
      insert into tasks.account_feed (account_id, last_sequence, last_changed_at)
      select gen_random_uuid(), 0, now() from generate_series(1, ${count}) returning account_id)
    insert into tasks.kept_answer (account_id, token_id, key_hash, request_hash, status, body, kept_at)
    select account_id, gen_random_uuid(), sha256('key'), sha256('request'), 201, '{}', ${clock.now()}
    from account`;
}

test('a sweep skips accounts with a write in progress, without waiting', async (t) => {
  const world = await startWorld(t);
  await addAnswers(world, 3);
  world.clock.advance(dayMilliseconds);
  const lock = `select from tasks.account_feed where account_id in (
    select account_id from tasks.kept_answer where ctid = '(0,2)') for update`;
  await world.database.transaction({ text: lock }, async ({ query }) => {
    const text = `update tasks.kept_answer set kept_at = $1 where ctid = '(0,2)'`;
    await query({ text, values: [world.clock.now()] });
    t.like(await world.sweep(), { kept_answer: 2 });
  });
  t.like(await world.sweep(), { kept_answer: 0 });
  t.is((await world.sql`select from tasks.kept_answer`).length, 1);
});
