import { randomUUID } from 'node:crypto';
import test from 'ava';
import { restoreProject } from '#resource-api/admin/data-admin.ts';
import type { ApiClient } from '#tests/support/api-client.ts';
import type { Task } from '#tests/support/api-types.ts';
import { connectSql } from '#tests/support/connect-sql.ts';
import { makeProject } from '#tests/support/factories.ts';
import { type AccountClient, startStack } from '#tests/support/stack.ts';
import { answerOf, authenticationAnswers, invalid, suspended } from '../matrix/problem-answer.ts';
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
  test(`what ${what} refused (${status}) leaves its key free, and is done when it is sent again`, async (t) => {
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

test('an invalid request (400) does not consume its key', async (t) => {
  const client = await stack.newClient();
  const once = keyed(client, 'key');
  for (const body of [{ title: ' ' }, { title: 'x', surplus: 1 }, '{'])
    t.is((await once.post('/tasks', body)).status, 400);
  t.is(await keptAnswers(stack, client), 0);
  t.is((await once.post('/tasks', { title: 'x' })).status, 201);
});

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
  test(`when the last thing to fail is the row in tasks.${table}, neither key nor task is kept`, async (t) => {
    const client = await stack.newClient();
    const database = connectSql(stack.databaseUrl);
    t.teardown(database.close);
    const { run } = database;
    // At the commit, and as when the disk is full.
    await run(`create function tasks.fail_${table}() returns trigger language plpgsql as
      $$ begin raise exception 'no room' using errcode = '53100'; end $$`);
    await run(`create constraint trigger fail after insert on tasks.${table} deferrable initially deferred for each row
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
