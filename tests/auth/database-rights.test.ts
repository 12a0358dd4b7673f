import test, { type ExecutionContext } from 'ava';
import { connectOrm } from '#shared/database/connect-orm.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';

/** Statements with the rights of a service, as the service itself gets them. */
async function statementsAs(t: ExecutionContext, role: string) {
  const database = await createFreshDatabase({ migrated: true });
  const orm = await connectOrm({
    url: database.url,
    role,
    applicationName: 'test',
    poolSize: 1,
    waitMilliseconds: 20_000,
    entities: [],
  });
  t.teardown(async () => {
    await orm.close(true);
    await database.drop();
  });
  return (sql: string) => orm.em.fork().execute<Record<string, unknown>[]>(sql);
}

const views = {
  'auth.account_access': ['account_id', 'plan', 'timezone', 'status'],
  'auth.api_token_access': [
    'token_hash',
    'token_id',
    'account_id',
    'name',
    'scopes',
    'expires_at',
    'revoked_at',
  ],
  'auth.signing_key_public': ['key_id', 'public_jwk', 'state'],
};

for (const [view, columns] of Object.entries(views)) {
  test(`resource-api may read ${view}, which has its documented columns`, async (t) => {
    const execute = await statementsAs(t, 'resource_api');
    t.deepEqual(await execute(`select * from ${view}`), []);
    const found = await execute(
      `select attname from pg_attribute where attrelid = '${view}'::regclass and attnum > 0 order by attnum`,
    );
    t.deepEqual(
      found.map(({ attname }) => attname),
      columns,
    );
  });

  test(`resource-api may not write through ${view}`, async (t) => {
    const execute = await statementsAs(t, 'resource_api');
    await t.throwsAsync(execute(`delete from ${view}`), { message: /permission denied/ });
  });
}

const forbidden: [string, string][] = [
  ['resource_api', 'select id from auth.account'],
  ['resource_api', 'select id from auth.api_token'],
  ['resource_api', 'select key_id from auth.signing_key'],
  ['resource_api', 'select * from auth.schema_migration'],
  ['resource_api', 'create table auth.mine (id integer)'],
  ['auth_server', 'select * from tasks.task'],
  ['auth_server', 'select * from tasks.account_feed'],
  ['auth_server', 'delete from auth.account'],
  ['auth_server', 'drop table auth.account'],
  ['auth_server', 'create table auth.mine (id integer)'],
];

for (const [role, statement] of forbidden) {
  test(`${role} is refused: ${statement}`, async (t) => {
    const execute = await statementsAs(t, role);
    await t.throwsAsync(execute(statement), { message: /permission denied|must be owner/ });
  });
}
