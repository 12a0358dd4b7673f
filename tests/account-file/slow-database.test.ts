import test from 'ava';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from '../app/web-app-client.ts';
import { exportFrom, importInto } from './transfer.ts';

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
