import { Migration } from '@mikro-orm/migrations';

/** Links to choose a new password: only their hashes are stored. */
export class Migration0006PasswordReset extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  `create table auth.password_reset (
     token_hash bytea primary key check (octet_length(token_hash) = 32),
     account_id uuid not null references auth.account (id) on delete cascade,
     expires_at timestamptz(3) not null
   )`,
  'create index password_reset_by_account on auth.password_reset (account_id)',
  // For the sweep alone.
  'create index password_reset_by_expiry on auth.password_reset (expires_at)',
  'grant select, insert, update, delete on auth.password_reset to auth_server',
];
