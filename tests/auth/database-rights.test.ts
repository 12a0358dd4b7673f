import test, { type ExecutionContext } from 'ava';
import { connectAsRole } from '#tests/support/connect-as-role.ts';
import { createFreshDatabase } from '#tests/support/fresh-database.ts';

const database = await createFreshDatabase({ migrated: true });
test.after.always(database.drop);

/** Statements with the rights of a service, as the service itself gets them. */
async function statementsAs(t: ExecutionContext, role: string) {
  const orm = await connectAsRole(t, database.url, role);
  return (sql: string) => orm.em.fork().execute<Record<string, unknown>[]>(sql);
}

const views = {
  'auth.account_access': 'account_id plan timezone status credential_version',
  'auth.api_token_access': 'token_hash token_id account_id name scopes expires_at revoked_at',
  'auth.signing_key_public': 'key_id public_jwk state',
  'auth.oauth_grant_access': 'grant_id account_id client_id client_name scopes expires_at',
  'auth.revoked_access_token_access': 'jti',
  'auth.session_access': 'session_id account_id expires_at',
  'auth.principal_change_access': 'xid account_id',
  'auth.reminder_channel_access': 'account_id has_push has_mail',
  'tasks.open_task_access': 'account_id task_id title due_date reminder_time view_date created_at',
  'tasks.token_last_use': 'account_id token_id last_used_at',
};

for (const [view, columns] of Object.entries(views)) {
  // The other service owns what is behind it.
  const reader = view.startsWith('tasks.') ? 'auth_server' : 'resource_api';

  test(`${reader} may read ${view}, which has its documented columns`, async (t) => {
    const execute = await statementsAs(t, reader);
    t.deepEqual(await execute(`select * from ${view}`), []);
    const found = await execute(
      `select attname from pg_attribute where attrelid = '${view}'::regclass and attnum > 0 order by attnum`,
    );
    t.is(found.map(({ attname }) => attname).join(' '), columns);
  });

  test(`${reader} may not write through ${view}`, async (t) => {
    const execute = await statementsAs(t, reader);
    await t.throwsAsync(execute(`delete from ${view}`), {
      message: /permission denied|cannot delete from view/,
    });
  });
}

const forbidden: [string, string][] = [
  ['resource_api', 'select id from auth.account'],
  ['resource_api', 'select id from auth.api_token'],
  ['resource_api', 'select key_id from auth.signing_key'],
  ['resource_api', 'select id from auth.oauth_grant'],
  ['resource_api', 'select client_id from auth.oauth_client'],
  ['resource_api', 'select client_id from auth.client_logo'],
  ['resource_api', 'select grant_id from auth.oauth_token'],
  ['resource_api', 'select jti from auth.revoked_access_token'],
  ['resource_api', 'select account_id from auth.browser_session'],
  ['resource_api', 'select event from auth.audit_event'],
  ['resource_api', 'select endpoint from auth.push_subscription'],
  ['resource_api', 'select public_key from auth.vapid_key'],
  ['resource_api', 'select * from auth.schema_migration'],
  ['resource_api', 'create table auth.mine (id integer)'],
  ['auth_server', 'select * from tasks.task'],
  ['auth_server', 'select * from tasks.reminder'],
  ['auth_server', 'select * from tasks.account_feed'],
  ['auth_server', 'select * from tasks.token_use'],
  ['auth_server', 'select * from tasks.kept_answer'],
  ['auth_server', 'update auth.audit_event set event = event'],
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
