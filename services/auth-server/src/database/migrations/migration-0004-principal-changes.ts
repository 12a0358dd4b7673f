import { Migration } from '@mikro-orm/migrations';

/**
 * Every change of what decides whom a token speaks for, in the transaction of the change: resource-api, which
 * remembers what it has read, polls it. No account: all of them, as after a TRUNCATE.
 */
export class Migration0004PrincipalChanges extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

/** The columns that count where not all do: a visit only prolongs a session, and notes its use. */
const triggers: [table: string, accountColumn: string, on: string, condition?: string][] = [
  ['account', 'id', 'update', distinct('id', 'plan', 'timezone', 'status', 'credential_version')],
  ['account', 'id', 'delete'],
  ['api_token', 'account_id', 'update', 'old.* is distinct from new.*'],
  ['api_token', 'account_id', 'delete'],
  [
    'oauth_grant',
    'account_id',
    'update',
    distinct('id', 'account_id', 'client_id', 'client_name', 'scopes', 'expires_at'),
  ],
  ['oauth_grant', 'account_id', 'delete'],
  ['revoked_access_token', 'account_id', 'insert or update or delete'],
  [
    'browser_session',
    'account_id',
    'update',
    `${distinct('id', 'account_id', 'secret_hash')} or new.expires_at < old.expires_at`,
  ],
  ['browser_session', 'account_id', 'delete'],
];

function distinct(...columns: string[]): string {
  const of = (row: string): string => columns.map((column) => `${row}.${column}`).join(', ');
  return `(${of('old')}) is distinct from (${of('new')})`;
}

function triggersOf([table, accountColumn, on, condition]: (typeof triggers)[number]): string[] {
  const name = `principal_changed_by_${on.replaceAll(' ', '_')}`;
  return [
    `create trigger ${name} after ${on} on auth.${table} for each row
       ${condition === undefined ? '' : `when (${condition})`}
       execute function auth.note_principal_change('${accountColumn}')`,
    `alter table auth.${table} enable always trigger ${name}`,
  ];
}

function truncateTriggerOf(table: string): string[] {
  return [
    `create trigger principal_changed_by_truncate after truncate on auth.${table} for each statement
       execute function auth.note_principal_change()`,
    `alter table auth.${table} enable always trigger principal_changed_by_truncate`,
  ];
}

const statements = [
  `create table auth.principal_change (
     seq bigint generated always as identity primary key,
     xid xid8 not null default pg_current_xact_id(),
     account_id uuid,
     changed_at timestamptz(3) not null default clock_timestamp()
   )`,
  'create index principal_change_by_transaction on auth.principal_change (xid)',
  'create index principal_change_by_time on auth.principal_change (changed_at)',
  `create view auth.principal_change_access as select xid, account_id from auth.principal_change`,
  // Null where the release before this one has written it.
  'alter table auth.revoked_access_token add column account_id uuid',
  // With the rights of its owner: whoever changes a row notes it, by hand too.
  `create function auth.note_principal_change() returns trigger
     language plpgsql security definer set search_path = pg_catalog, pg_temp as $$
   begin
     if tg_op = 'TRUNCATE' then
       insert into auth.principal_change (account_id) values (null);
     end if;
     if tg_op in ('UPDATE', 'DELETE') then
       insert into auth.principal_change (account_id) values ((to_jsonb(old) ->> tg_argv[0])::uuid);
     end if;
     if tg_op in ('INSERT', 'UPDATE') then
       insert into auth.principal_change (account_id) values ((to_jsonb(new) ->> tg_argv[0])::uuid);
     end if;
     return null;
   end $$`,
  'revoke all on function auth.note_principal_change() from public',
  ...triggers.flatMap(triggersOf),
  ...[...new Set(triggers.map(([table]) => table))].flatMap(truncateTriggerOf),
  'grant select, delete on auth.principal_change to auth_server',
  'grant select on auth.principal_change_access to resource_api',
];
