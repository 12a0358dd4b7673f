import { Migration } from '@mikro-orm/migrations';

/** What `wait_for_writes` waits for, and when the last of it was: a poll without news looks no further. */
export class Migration0004SettledChanges extends Migration {
  override up(): void {
    for (const statement of statements) this.addSql(statement);
  }
}

const statements = [
  // Volatile: each statement of the function sees what was committed before it began, the second one all that
  // the first has waited for (PostgreSQL, §36.7).
  `create function tasks.settled_changes(account uuid) returns timestamptz
     language plpgsql volatile as $$
   begin
     perform pg_advisory_xact_lock_shared(hashtextextended(account::text, 0));
     return (select last_changed_at from tasks.account_feed where account_id = account);
   end $$`,
  'revoke all on function tasks.settled_changes(uuid) from public',
  'grant execute on function tasks.settled_changes(uuid) to resource_api',
];
