import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { waitFor } from '#tests/support/wait-for.ts';
import { createWebApps } from '../app/web-app-client.ts';
import { holdTable } from '../lifecycle/held-table.ts';
import { exportFrom, fetchExport, importInto } from './transfer.ts';

const stack = await startStack(test, { environment: { DATABASE_WAIT_MILLISECONDS: '1000' } });

test('a statement of an import may take longer than one of a request', async (t) => {
  const apps = await createWebApps(stack);
  const [source, target] = [await apps.open({ plan: 'premium' }), await apps.open({ plan: 'premium' })];
  await source.post('/areas', { title: 'Home' });
  const file = await exportFrom(stack, source);
  await stack.sql`create function slow_down() returns trigger language plpgsql
    as 'begin perform pg_sleep(0.9); return new; end'`;
  // Parts of the file are requests, pieces of rows are not.
  await stack.sql`create trigger slow before insert on tasks.import_piece
    for each row when (new.kind <> 'part') execute function slow_down()`;
  await stack.sql`create trigger slow before insert on tasks.area execute function slow_down()`;
  t.is((await source.post('/areas', { title: 'Work' })).status, 503);
  const outcome = await importInto(stack, target, file);
  t.like(outcome, { phase: 'done', counts: { areas: 1 } });
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
