import { Migration } from '@mikro-orm/migrations';

/** That a browser's owner has asked for an export, and what resource-api does not know of the account. */
export class Migration0021ExportPermits extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create table auth.export_permit (
     session_id uuid primary key references auth.browser_session (id) on delete cascade,
     account_id uuid not null references auth.account (id) on delete cascade,
     profile jsonb not null,
     expires_at timestamptz(3) not null
   )`,
  'create index export_permit_by_account on auth.export_permit (account_id)',
  // For the sweep alone.
  'create index export_permit_by_expiry on auth.export_permit (expires_at)',
  `create view auth.export_permit_access as
     select session_id, account_id, profile, expires_at from auth.export_permit`,
  'grant select, insert, update, delete on auth.export_permit to auth_server',
  'grant select on auth.export_permit_access to resource_api',
];
