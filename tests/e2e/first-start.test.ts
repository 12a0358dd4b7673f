import test from 'ava';
import { makeFirstAccount } from '#local/first-start.ts';
import { startAdmin } from '#tests/admin/run-admin.ts';
import { temporaryDataDirectory } from './local-start.ts';

test('the first start on a database with accounts adds none', async (t) => {
  const admin = await startAdmin(t);
  await admin.ask('account', 'create', '--email', 'ada@example.com');
  const account = await makeFirstAccount({
    stateFile: `${temporaryDataDirectory(t)}.json`,
    admin: async (parameters) => t.fail(parameters.join(' ')),
    apiRoot: 'http://localhost:9',
    databaseUrl: admin.env.DATABASE_URL ?? '',
    signal: AbortSignal.timeout(60_000),
    onProgress: (message) => t.fail(message),
  });
  t.is(account, undefined);
});
