import { randomUUID } from 'node:crypto';
import test from 'ava';
import { openAuthDatabase } from '#auth-server/database/auth-orm.ts';
import { eraseAccounts } from '#auth-server/sweep/erase-accounts.ts';
import { sweepExpired as sweepAuthServer } from '#auth-server/sweep/expired-records.ts';
import { eraseAccountRows } from '#resource-api/accounts/erase-accounts.ts';
import { openTasksDatabase } from '#resource-api/database/tasks-database.ts';
import { sweepExpired } from '#resource-api/sweep-expired.ts';
import { createRevoker } from '#shared/admission/revoker.ts';
import { connectRedis } from '#shared/redis/connect-redis.ts';
import { systemClock } from '#shared/time/clock.ts';
import { whileLocked } from '#tests/oauth/while-locked.ts';
import { insertTasks } from '#tests/support/factories.ts';
import { createPageBrowser } from '#tests/support/page-browser.ts';
import type { Stack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { adminOf } from '../admin/run-admin.ts';
import { startStackWithMail } from '../mail/mail-server.ts';
import { isSignedIn, newVisit, sessionsOf } from '../pages/visitors.ts';
import { connectApp } from '../settings/signed-in-owner.ts';

/** The tables of any schema that hold one of the texts in any column, as text or as bytes. */
async function tablesWith({ sql }: Pick<Stack, 'sql'>, texts: readonly string[]): Promise<string[]> {
  const patterns = texts.flatMap((text) => [text, Buffer.from(text).toString('hex')]);
  const found = await sql<{ name: string; rows: string }>`
    select name, (xpath('/row/count/text()', query_to_xml(format(
      'select count(*) from %s as any_row where any_row::text ilike any (%L::text[])', name,
      array(select '%' || pattern || '%' from unnest(${patterns}::text[]) pattern)),
        false, true, '')))[1]::text as rows
    from (
      select format('%I.%I', schemaname, tablename) as name from pg_tables
      where schemaname not in ('pg_catalog', 'information_schema')) present
    order by name`;
  return found.filter(({ rows }) => rows !== '0').map(({ name }) => name);
}

const { mail, stack, close } = await startStackWithMail();
const admin = adminOf(stack);
const { orm: authOrm } = openAuthDatabase({
  url: stack.databaseUrl,
  poolSize: 1,
  waitMilliseconds: 20_000,
  applicationName: 'sweep',
});
const tasks = openTasksDatabase({ url: stack.databaseUrl, poolSize: 1, waitMilliseconds: 20_000 });
const redis = connectRedis(stack.redisUrl);
test.after.always(async () => {
  redis.disconnect();
  await Promise.all([authOrm.close(true), tasks.close()]);
  await close();
});

const day = 86_400_000;
const inDays = (days: number) => new Date(Date.now() + days * day);

/** What the sweeps of both services do then; its own first, so that the account waits for the other's. */
async function sweep(now: Date): Promise<void> {
  const revoker = createRevoker({ redis, waitsAlways: false });
  for (let time = 1; time <= 2; time += 1) {
    await eraseAccounts({ em: authOrm.em, revoker, now });
    await sweepExpired(tasks, systemClock);
  }
  await eraseAccounts({ em: authOrm.em, revoker, now });
}

/** An account that has left a row in as many tables as can be, its queue of mail included. */
async function livedInAccount() {
  const { person, browser } = await newVisit(stack, { plan: 'premium' });
  await connectApp(stack, person);
  const { secret } = await admin(
    'token',
    'create',
    `--email=${person.email}`,
    '--name=script',
    '--scopes=read,write',
  );
  const api = stack.client(secret);
  const area = await api.post<{ id: string }>('/areas', { title: 'Home' });
  const project = await api.post<{ id: string }>('/projects', { title: 'Garden', areaId: area.body.id });
  const section = await api.post<{ id: string }>(`/projects/${project.body.id}/sections`, {
    title: 'Spring',
  });
  const filed = { title: 'Dig', description: '*Deep*', sectionId: section.body.id };
  const keyed = await api.post('/tasks', filed, { headers: { 'Idempotency-Key': randomUUID() } });
  if (keyed.status !== 201) throw new Error(`the task was refused: ${keyed.status}`);
  const form = await createPageBrowser(stack.baseUrl).get('/sign-in/forgot');
  await createPageBrowser(stack.baseUrl)
    .submit(form, '/sign-in/forgot', { email: person.email.toUpperCase() })
    .catch(() => undefined);
  // It is written a second after the use.
  const isUseNoted = async () =>
    (await stack.sql`select from tasks.token_use where account_id = ${person.accountId}`).length > 0;
  await waitFor(isUseNoted, { what: 'the use of the token' });
  return { person, browser, api };
}

test.serial('a deleted account stops at once, and signing in within the time brings it back', async (t) => {
  const { person, browser, api } = await livedInAccount();
  const page = await browser.get('/settings/data');
  const left = await browser.follow(await browser.submit(page, '/settings/data/delete'));
  t.regex(left.text, /signed out everywhere/);
  const { eraseAfter } = await admin('account', 'show', `--email=${person.email}`);
  t.true(new Date(eraseAfter) > inDays(13) && new Date(eraseAfter) < inDays(15));
  t.is((await api.get('/me')).status, 401);
  t.false(await isSignedIn(browser));
  t.deepEqual(await admin('app', 'list', `--email=${person.email}`), []);
  t.regex(
    await admin('token', 'create', `--email=${person.email}`, '--name=x', '--scopes=read'),
    /to be deleted/,
  );

  t.regex(await mail.mailTo(person.email, 'Your account will be deleted'), /Erased after/);

  await sweep(inDays(13));
  const form = await browser.get('/sign-in?return_to=/settings/api');
  const entered = await browser.submit(form, '/sign-in', { email: person.email, password: person.password });
  t.regex((await browser.follow(entered)).text, /will not be deleted/);
  t.true(await isSignedIn(browser));
  t.regex(await mail.mailTo(person.email, 'Your account will not be deleted'), /will not be deleted/);
  await sweep(inDays(30));
  const { secret } = await admin('token', 'create', `--email=${person.email}`, '--name=new', '--scopes=read');
  t.is((await stack.client(secret).get<{ items: unknown[] }>('/tasks')).body.items.length, 1);
});

test.serial('after its time no table and no key of Redis knows an account; others keep theirs', async (t) => {
  const neighbour = await livedInAccount();
  const { person, browser } = await livedInAccount();
  const traces = [person.accountId, person.email];
  const before = await tablesWith(stack, traces);
  for (const table of ['auth.audit_event', 'tasks.task', 'tasks.kept_answer', 'tasks.change_history'])
    t.true(before.includes(table), table);
  t.true(before.some((table) => table.startsWith('jobs.')));
  const kept = await tablesWith(stack, [neighbour.person.accountId]);

  await admin('account', 'delete', `--email=${person.email}`);
  await sweep(inDays(15));
  const form = await browser.get('/sign-in');
  const refused = await browser.submit(form, '/sign-in', {
    email: person.email,
    password: person.password,
  });
  t.is(refused.status, 400);
  // What told the services of it is kept for a minute.
  await stack.sql`update auth.account_erasure set emptied_at = emptied_at - interval '2 minutes'`;
  await sweep(inDays(15));
  t.deepEqual(await tablesWith(stack, traces), []);
  t.deepEqual(await redis.keys(`*${person.accountId}*`), []);
  t.deepEqual(await tablesWith(stack, [neighbour.person.accountId]), kept);
  t.is((await neighbour.api.get('/me')).status, 200);
});

test.serial('an account whose rows cannot be removed keeps no other', async (t) => {
  await stack.sql`create function refuse() returns trigger language plpgsql
    as 'begin raise exception using message = old.title; end'`;
  await stack.sql`create trigger stuck before delete on tasks.area
    for each row when (old.title = 'Stuck') execute function refuse()`;
  for (const title of ['Stuck', 'Free']) {
    const { account, post } = await stack.newClient();
    await post('/areas', { title });
    await stack.sql`insert into auth.account_erasure (account_id, erase_after, began_at)
      values (${account.accountId}, now(), now())`;
  }
  await t.throwsAsync(sweepExpired(tasks, systemClock));
  const areas = await stack.sql`select title from tasks.area where title in ('Stuck', 'Free')`;
  t.deepEqual(areas, [{ title: 'Stuck' }]);
  await stack.sql`drop trigger stuck on tasks.area`;
  await sweep(new Date());
});

test.serial(
  'accounts that wait for the other service keep none behind them, however many they are',
  async (t) => {
    const [first, second] = [await stack.newClient(), await stack.newClient()];
    await second.post('/areas', { title: 'Behind' });
    await stack.sql`with waiting as (
      insert into auth.account_erasure (account_id, erase_after, began_at)
      select gen_random_uuid(), now() - interval '1 day', now()
      from generate_series(1, 200) returning account_id)
    insert into tasks.token_use (account_id, token_id, last_used_at)
    select account_id, gen_random_uuid(), now() from waiting`;
    for (const { account } of [first, second])
      await stack.sql`insert into auth.account_erasure (account_id, erase_after, began_at)
      values (${account.accountId}, now(), now())`;
    await eraseAccounts({
      em: authOrm.em,
      revoker: createRevoker({ redis, waitsAlways: false }),
      now: new Date(),
    });
    t.deepEqual(await stack.sql`select from auth.account where id = ${first.account.accountId}`, []);
    await sweepExpired(tasks, systemClock);
    t.deepEqual(await stack.sql`select from tasks.area where title = 'Behind'`, []);
    await sweep(new Date());
  },
);

test.serial('expired records that cannot be removed keep no account from being erased', async (t) => {
  await stack.sql`insert into auth.used_challenge (challenge_hash, expires_at) values (sha256(''), now())`;
  const { post } = await stack.newClient();
  await post('/tasks', { title: 'Call', dueDate: '2040-01-01', reminderTime: '09:00' });
  await stack.sql`update tasks.reminder set queued_at = now() - interval '4 days'`;
  await stack.sql`create function keep_row() returns trigger language plpgsql
    as 'begin raise exception using message = tg_table_name; end'`;
  await stack.sql`create trigger kept before delete on auth.used_challenge
    for each row execute function keep_row()`;
  await stack.sql`create trigger kept before delete on tasks.reminder
    for each row execute function keep_row()`;
  const { account } = await stack.newClient();
  await stack.sql`insert into auth.account_erasure (account_id, erase_after, began_at)
    values (${account.accountId}, now(), now())`;

  await t.throwsAsync(sweepExpired(tasks, systemClock), { message: /1 of . failed/ });
  const revoker = createRevoker({ redis, waitsAlways: false });
  const config = { auditRetentionSeconds: 86_400 };
  const sweepOfAuthServer = sweepAuthServer({ em: authOrm.em, revoker, clock: systemClock, config });
  await t.throwsAsync(sweepOfAuthServer, { message: /1 of .. failed/ });
  t.deepEqual(await stack.sql`select from auth.account where id = ${account.accountId}`, []);
  await stack.sql`drop trigger kept on auth.used_challenge`;
  await stack.sql`drop trigger kept on tasks.reminder`;
});

test.serial('the operator erases an account at once, and its address is free', async (t) => {
  const { person } = await livedInAccount();
  t.deepEqual(await admin('account', 'delete', `--email=${person.email}`, '--now'), {
    accountId: person.accountId,
    isErased: true,
  });
  t.regex(await admin('account', 'show', `--email=${person.email}`), /no account/);
  t.like(await admin('account', 'create', `--email=${person.email}`), { email: person.email });
});

test.serial(
  'two processes that erase an account at the same time remove all of it, and neither fails',
  async (t) => {
    const { person, api } = await livedInAccount();
    const { accountId } = person;
    const [project] = (await api.get<{ items: { id: string }[] }>('/projects')).body.items;
    await insertTasks(stack, person, 3_000, { projectId: project?.id ?? null });
    await stack.sql`insert into auth.account_erasure (account_id, erase_after, began_at)
      values (${accountId}, now(), now())`;
    const both = openTasksDatabase({ url: stack.databaseUrl, poolSize: 2, waitMilliseconds: 20_000 });
    t.teardown(() => both.close());
    const removed = await Promise.all([1, 2].map(() => eraseAccountRows(both, accountId)));
    t.true(removed.every((count) => count > 0));
    t.deepEqual(await stack.sql`select from tasks.project where account_id = ${accountId}`, []);
    await sweep(new Date());
  },
);

test.serial('a deletion that is asked for again is on the trail once, and keeps its time', async (t) => {
  const { person } = await newVisit(stack);
  const words = ['account', 'delete', `--email=${person.email}`];
  t.deepEqual(await admin(...words), await admin(...words));
  const trail = await admin('audit', 'list', `--email=${person.email}`);
  t.is(trail.filter(({ event }: { event: string }) => event === 'deletion_asked').length, 1);
});

test.serial('no service may remove rows of an account whose deletion was not asked for', async (t) => {
  const { person } = await livedInAccount();
  const statement = { text: 'select tasks.erase_rows($1, 1)', values: [person.accountId] };
  await t.throwsAsync(tasks.query(statement), { message: /not to be erased/ });
  await t.throwsAsync(authOrm.em.fork().execute('select auth.erase_rows(?, 1)', [person.accountId]), {
    message: /not to be erased/,
  });
});

test('an immediate deletion clears the browser’s copy and offers no way to keep the account', async (t) => {
  const strict = await startStackWithMail({ environment: { ACCOUNT_DELETION_DAYS: '0' } });
  t.teardown(strict.close);
  const { browser, person } = await newVisit(strict.stack);
  const data = await browser.get('/settings/data');
  const asked = await browser.submit(data, '/settings/data/delete');
  t.is(asked.headers.get('clear-site-data'), '"storage"');
  const page = await browser.follow(asked);
  t.true(page.text.includes('your account is deleted.'));
  t.false(page.text.includes('to keep it'));
  const message = await strict.mail.mailTo(person.email, 'Your account is being deleted');
  t.regex(message, /cannot be restored.*contact the operator/s);
  t.notRegex(message, /To keep the account|Sign in:/);
});

test.serial('a sign-in fails if the erasure of its account begins before it ends', async (t) => {
  const { person, browser } = await newVisit(stack);
  await browser.submit(await browser.get('/settings/data'), '/settings/data/delete');
  const form = await browser.get('/sign-in');
  const statement = 'update auth.account_erasure set began_at = now() where account_id = $1';
  const held = { table: 'account_erasure', statement, values: [person.accountId], end: 'commit' } as const;
  const fields = { email: person.email, password: person.password };
  const [answer] = await whileLocked(stack, held, () => [browser.submit(form, '/sign-in', fields)]);
  t.is(answer?.status, 400);
  t.deepEqual(await sessionsOf(stack, person), []);
});
