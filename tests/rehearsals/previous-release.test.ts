import test from 'ava';
import { authMigrations } from '#auth-server/database/migrations.ts';
import { taskMigrations } from '#resource-api/database/migrations.ts';
import { readCommand } from '#tools/rehearsals/read-command.ts';
import { RehearsalRefused } from '#tools/rehearsals/rehearsal-refused.ts';
import { makeHistory } from './made-history.ts';
import { runRehearsal } from './run-rehearsal.ts';

/** Of a release: the first looks into the database it is given; the last two can't pass. */
const ownTests = `
import test from 'ava';
import pg from 'pg';
import { templateDatabaseName, testDatabaseServerUrl } from './support/test-environment.ts';

async function query(database, statement) {
  const url = new URL(testDatabaseServerUrl());
  url.pathname = database;
  const client = new pg.Client(url.href);
  await client.connect();
  const { rows } = await client.query(statement);
  await client.end();
  return rows.map(({ name }) => name);
}
test('a release finds what there is', async (t) => {
  await query('postgres', 'create database copied template ' + templateDatabaseName);
  const auth = await query('copied', 'select name from auth.schema_migration order by name');
  const tasks = await query('copied', 'select name from tasks.schema_migration order by name');
  t.log('migrated by', [...auth, ...tasks].join(' '));
  t.pass();
});
test('a release fails', (t) => t.fail());
test('a view is read, which has its documented columns', (t) => t.fail());
`;

test('a release’s own tests run over the present migrations, but for those that can’t pass there', async (t) => {
  const repository = makeHistory(t, { 'tests/release.test.ts': ownTests });
  const { exitCode, stdout } = await runRehearsal(['previous', 'before'], repository);
  const names = [...authMigrations, ...taskMigrations].map(({ name }) => name);
  t.true(stdout.includes(`migrated by ${names.join(' ')}\n`), stdout);
  t.true(stdout.includes('Left out: «* which has its documented columns»'));
  t.true(stdout.endsWith('\n1 passed, 1 failed\n'), stdout);
  t.is(exitCode, 1);
});

const refused = [
  { words: [], reason: /^«» is no rehearsal\n\nnpm run rehearse -- restore/ },
  { words: ['previous'], reason: /^no release before this one has a tag: name one, / },
  { words: ['previous', 'v9'], reason: /^git knows no v9 here/ },
  {
    words: ['previous', 'before'],
    reason:
      /^the tests of before can't run over another release's database: they know nothing of TEST_DATABASE_URL, TEST_/,
  },
];
test('what can’t be rehearsed is refused with the reason', async (t) => {
  const repository = makeHistory(t, { 'tests/support/test-environment.ts': '' });
  for (const { words, reason } of refused) {
    const { exitCode, stdout, stderr } = await runRehearsal(words, repository);
    t.regex(stderr, reason);
    t.is(exitCode, 2);
    t.is(stdout, '');
  }
  for (const words of [['restore', 'v1'], ['previous', 'v1', 'v2'], ['restored']])
    t.throws(() => readCommand(words), { instanceOf: RehearsalRefused, message: /is no rehearsal/ });
});
