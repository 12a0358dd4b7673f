import test from 'ava';
import { makeProject, makeSection } from '#tests/support/factories.ts';
import { startStack } from '#tests/support/stack.ts';
import { createWebApps } from '../app/web-app-client.ts';
import { holdTable } from '../lifecycle/held-table.ts';
import { exportFrom, fetchExport, importInto } from './transfer.ts';

const stack = await startStack(test, { environment: { DATABASE_WAIT_MILLISECONDS: '20000' } });

test('an import that runs when its browser is signed out stores nothing, and an export ends', async (t) => {
  const apps = await createWebApps(stack);
  const [source, target] = [await apps.open(), await apps.open()];
  await makeSection(source, (await makeProject(source)).id);
  const file = await exportFrom(stack, source);
  const table = await holdTable(t, stack.databaseUrl, 'tasks.section');
  const [imported, exported] = [importInto(stack, target, file), fetchExport(stack, source)];
  await table.waiting(2);
  for (const browser of [source, target]) await browser.endSession();
  await table.release();
  const { phase, problem } = await imported;
  t.deepEqual([phase, problem?.errorCode], ['refused', 'token_invalid']);
  const stored = await stack.sql`select from tasks.project where account_id = ${target.account.accountId}`;
  t.is(stored.length, 0);
  await t.throwsAsync(exported.then((response) => response.text()));
});
