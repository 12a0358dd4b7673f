import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { connect } from 'node:net';
import test, { type ExecutionContext } from 'ava';
import type { ActivityPage } from '#shared/app/app-protocol.ts';
import { makeProject, makeSection, makeTask } from '#tests/support/factories.ts';
import { type OwnStack, startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createWebApps, type WebAppClient } from '../app/web-app-client.ts';
import { holdTable } from '../lifecycle/held-table.ts';
import { exportFrom, fetchExport, importInto, permit } from './transfer.ts';

const stack = await startStack(test, { environment: { DATABASE_WAIT_MILLISECONDS: '5000' } });

test('a statement of an import may take longer than one of a request', async (t) => {
  const apps = await createWebApps(stack);
  const [source, target] = [await apps.open({ plan: 'premium' }), await apps.open({ plan: 'premium' })];
  await source.post('/areas', { title: 'Home' });
  const file = await exportFrom(stack, source);
  await stack.sql`create function slow_down() returns trigger language plpgsql
    as 'begin perform pg_sleep(3.5); return new; end'`;
  // Parts of the file are requests, pieces of rows are not.
  await stack.sql`create trigger slow before insert on tasks.import_piece
    for each row when (new.kind <> 'part') execute function slow_down()`;
  await stack.sql`create trigger slow before insert on tasks.area execute function slow_down()`;
  t.is((await source.post('/areas', { title: 'Work' })).status, 503);
  const outcome = await importInto(stack, target, file);
  t.like(outcome, { phase: 'done', counts: { areas: 1 } });
});

test('an import is done, though its upload cannot be removed', async (t) => {
  const apps = await createWebApps(stack);
  const [source, target] = [await apps.open(), await apps.open()];
  await makeTask(source);
  const file = await exportFrom(stack, source);
  await stack.sql`create function keep_piece() returns trigger language plpgsql
    as 'begin raise exception using message = old.kind; end'`;
  await stack.sql`create trigger kept before delete on tasks.import_piece
    for each row execute function keep_piece()`;
  t.like(await importInto(stack, target, file), { phase: 'done', counts: { tasks: 1 } });
  await stack.sql`drop trigger kept on tasks.import_piece`;
});

test('an import is taken back, though all of its records together take longer than a request', async (t) => {
  const apps = await createWebApps(stack);
  const [source, target] = [await apps.open({ plan: 'premium' }), await apps.open({ plan: 'premium' })];
  await makeProject(source);
  const file = JSON.parse(await exportFrom(stack, source));
  const projects = Array.from({ length: 100 }, () => ({ ...file.projects[0], id: randomUUID() }));
  const counts = { ...file.counts, projects: projects.length };
  t.like(await importInto(stack, target, JSON.stringify({ ...file, counts, projects })), { phase: 'done' });
  const { entries } = (await target.app.get<ActivityPage>('/activity')).body;
  await stack.sql`create function take_time() returns trigger language plpgsql
    as 'begin perform pg_sleep(0.05); return new; end'`;
  await stack.sql`create trigger take_time before update on tasks.project
    for each row execute function take_time()`;
  const undone = await target.app.post('/undo', { stamps: entries[0]?.stamps });
  t.like(undone, { status: 200, body: { undone: 100, kept: [] } });
});

test('an import whose client has left while it waited for another transfer is not begun', async (t) => {
  const environment = { DATABASE_POOL_SIZE: '4', DATABASE_WAIT_MILLISECONDS: '20000' };
  const crowded = await startStack(t, { environment });
  const apps = await createWebApps(crowded);
  const [source, target] = [await apps.open(), await apps.open()];
  const file = await exportFrom(crowded, source);
  const table = await holdTable(t, crowded.databaseUrl, 'tasks.section');
  const earlier = fetchExport(crowded, source);
  await table.waiting(1);
  const leaving = new AbortController();
  const left = importInto(crowded, target, file, { signal: leaving.signal });
  const isUnderWay = async () =>
    crowded.log.some(({ path }) => String(path).endsWith('/parts')) &&
    /^http_requests_in_progress 2$/m.test(await crowded.metrics('resource-api'));
  await waitFor(isUnderWay, { what: 'the import to wait' });
  leaving.abort();
  await t.throwsAsync(left);
  await waitFor(() => crowded.log.some(({ isAborted }) => isAborted), { what: 'the service to notice' });
  const later = fetchExport(crowded, source);
  await table.release();
  for (const { status } of await Promise.all([earlier, later])) t.is(status, 200);
  const imports = await crowded.sql`select started_at from tasks.account_import`;
  t.deepEqual([...imports], [{ started_at: null }]);
});

test('an account has one transfer at a time, and others theirs meanwhile', async (t) => {
  const environment = { DATABASE_POOL_SIZE: '8', DATABASE_WAIT_MILLISECONDS: '60000' };
  const crowded = await startStack(t, { environment });
  const apps = await createWebApps(crowded);
  const [greedy, other] = [await apps.open(), await apps.open()];
  await makeTask(other);
  const file = await exportFrom(crowded, other);
  await crowded.sql`create table held_up ()`;
  await crowded.sql`grant select on held_up to public`;
  await crowded.sql`create function hold_up() returns trigger language plpgsql
    as 'begin perform from public.held_up; return new; end'`;
  await crowded.sql`create trigger held before insert on tasks.import_piece
    for each row when (new.kind <> 'part') execute function hold_up()`;
  const table = await holdTable(t, crowded.databaseUrl, 'held_up');
  const imported = importInto(crowded, greedy, file);
  await table.waiting(1);
  const { id } = await makeTask(greedy);
  await crowded.sql`update tasks.task set description = repeat('x', 20000000) where id = ${id}`;
  await permit(crowded, greedy);
  await readNothing(t, crowded, '/app/api/v1/export', greedy);
  // The first may come before what is not read.
  for (let count = 0; count < 3; count += 1) {
    const response = await fetchExport(crowded, other);
    t.is(response.status, 200);
    await response.text();
  }
  await table.release();
  t.is((await imported).problem?.errorCode, 'invalid_state');
});

/** Asks, and takes no response. */
async function readNothing(
  t: ExecutionContext,
  { baseUrl }: OwnStack,
  path: string,
  { accessToken }: WebAppClient,
): Promise<void> {
  const { hostname, port } = new URL(baseUrl);
  const socket = connect(Number(port), hostname).on('error', () => undefined);
  t.teardown(() => socket.destroy());
  await once(socket, 'connect');
  socket
    .pause()
    .write(
      `GET ${path} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: identity\r\n` +
        `Authorization: Bearer ${accessToken}\r\n\r\n`,
    );
}

test('uploads of an account take no connection that others need', async (t) => {
  const environment = { DATABASE_POOL_SIZE: '6', DATABASE_WAIT_MILLISECONDS: '20000' };
  const crowded = await startStack(t, { environment });
  const apps = await createWebApps(crowded);
  const [greedy, other] = [await apps.open(), await apps.open()];
  const { body } = await greedy.app.post<{ id: string }>('/imports');
  const sendPart = (number: number) =>
    greedy.app.post(`/imports/${body.id}/parts`, { number, content: 'aaaa' });
  const begin = () => greedy.app.post('/imports');
  for (const [send, status] of [
    [sendPart, 204],
    [begin, 201],
  ] as const) {
    const table = await holdTable(t, crowded.databaseUrl, 'tasks.account_import');
    const sent = Array.from({ length: 12 }, (_, number) => send(number));
    await table.waiting(2);
    t.is((await other.get('/areas')).status, 200);
    await table.release();
    for (const each of await Promise.all(sent)) t.is(each.status, status);
  }
});

test('an import that runs when its browser is signed out stores nothing, and an export ends', async (t) => {
  const held = await startStack(t, { environment: { DATABASE_WAIT_MILLISECONDS: '20000' } });
  const apps = await createWebApps(held);
  const [source, target] = [await apps.open(), await apps.open()];
  await makeSection(source, (await makeProject(source)).id);
  const file = await exportFrom(held, source);
  const table = await holdTable(t, held.databaseUrl, 'tasks.section');
  const [imported, exported] = [importInto(held, target, file), fetchExport(held, source)];
  await table.waiting(2);
  for (const browser of [source, target]) await browser.endSession();
  await table.release();
  const { phase, problem } = await imported;
  t.deepEqual([phase, problem?.errorCode], ['refused', 'token_invalid']);
  const stored = await held.sql`select from tasks.project where account_id = ${target.account.accountId}`;
  t.is(stored.length, 0);
  await t.throwsAsync(exported.then((response) => response.text()));
});
