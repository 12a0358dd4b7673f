import { Migration } from '@mikro-orm/migrations';

/** When the operator cut the account off: it can't be signed in to, and its data stay. */
export class Migration0007AccountLock extends Migration {
  override up(): void {
    this.addSql('alter table auth.account add column locked_at timestamptz(3)');
  }
}
